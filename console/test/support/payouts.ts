/** What the tests of payouts share: an open network with a policy, money, and the signer. */
import { join } from 'node:path';
import { listApproverKeys } from '../../../service/src/identity/index.ts';
import { systemClock } from '../../../service/src/lib/clock.ts';
import { createClient } from '../../../service/src/oidc/index.ts';
import { expectOk } from '../../../service/test/demo/http-client.ts';
import { DEMO_NETWORK, type DemoChain } from '../../../service/test/support/chains/demo-chain.ts';
import { readLedgerKeys } from '../../../service/test/support/payout-chain-setup.ts';
import { HOT_KEY, HOT_WALLET } from '../../../service/test/support/payout-chain-types.ts';
import { parseConfig } from '../../../signer/src/config.ts';
import { openSigner, type Signer } from '../../../signer/src/open-signer.ts';
import type { StageService } from './browser-fixture.ts';
import type { Operator } from './seed.ts';
import type { Person } from './user-flows.ts';

export const PAYEE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** A rule under which each payout is reviewed by one operator. */
export const RULE = {
  currency: 'USDT',
  network: DEMO_NETWORK,
  fee: '1',
  minimum: '5',
  person_day_max: '1000',
  day_max: '10000',
  email_only_day_max: '20',
  automatic_max: '0',
  four_eyes_above: '500',
};

export const putPolicy = ({ baseUrl, token }: Operator, rule = RULE): Promise<unknown> =>
  expectOk(`${baseUrl}/operator/payout-policy`, {
    method: 'PUT',
    token,
    body: { rules: [rule], automatic_age_days: 0 },
  });

/** Puts USDT into the asset wallet of a user, as a deposit would. */
export async function fundAsset(
  { baseUrl, token }: Operator,
  userId: number,
  amount: string,
): Promise<void> {
  const transfer = {
    debit: { house: 'deposit_clearing' },
    credit: { user_id: userId, wallet: 'asset' },
    currency: 'USDT',
    business_id: 'deposit',
    amount,
  };
  await expectOk(`${baseUrl}/operator/transfers`, {
    token,
    body: { transfers: [transfer] },
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
}

export async function findUserId({ database }: StageService, { email }: Person): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    'select id from app_user where email = $1',
    [email],
  );
  return rows[0]?.id ?? 0;
}

/** A day passes: new addresses are usable, and changed factors count in full. */
export async function endQuarantine({ database }: StageService): Promise<void> {
  await database.query('update payout_address set usable_at = created_at');
  await database.query(`update security_event set created_at = created_at - interval '1 day'`);
}

const MILLION = '1000000000000';

/** A signer that trusts this operator's passkeys, with a funded hot wallet. */
export async function startSigner(
  { database, baseUrl, dataDir }: StageService,
  chain: DemoChain,
  operatorId: number,
): Promise<Signer> {
  await chain.fund(HOT_WALLET, 1000);
  const { secret } = await createClient(database, systemClock, {
    clientId: 'signer',
    name: 'Signer',
    isPublic: false,
    redirectUris: [],
    scopes: ['operator:payouts-sign'],
    grantTypes: ['client_credentials'],
    isFirstParty: true,
  });
  const keys = await listApproverKeys(database, operatorId);
  const signer = openSigner({
    key: HOT_KEY,
    clientSecret: secret ?? '',
    log: () => undefined,
    config: parseConfig({
      service_url: baseUrl,
      client_id: 'signer',
      state_file: join(dataDir, 'signer.sqlite'),
      network: DEMO_NETWORK,
      chain_id: chain.chainId,
      rpc_url: chain.url,
      tokens: [
        {
          currency: 'USDT',
          contract: chain.usdt.toLowerCase(),
          ...{ payout_max: MILLION, hour_max: MILLION, address_hour_max: MILLION },
          ...{ automatic_max: '0', four_eyes_above: '500000000' },
        },
      ],
      operators: [
        {
          name: 'Hopper',
          user_id: operatorId,
          keys: keys.map(({ credential_id, public_key }) => ({ credential_id, public_key })),
        },
      ],
      ledger_keys: await readLedgerKeys(database),
      rp_id: new URL(baseUrl).hostname,
      origins: [new URL(baseUrl).origin],
      max_fee_per_gas: '100000000000',
      max_priority_fee_per_gas: '1000000000',
      gas_budget_day: MILLION.repeat(2),
      confirmations: chain.confirmations,
    }),
  });
  await signer.start();
  return signer;
}
