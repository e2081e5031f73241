/** Sets up the fixture of payouts on a real chain; it needs no test runner. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignerConfig } from '../../../signer/src/config.ts';
import type { Database } from '../../src/db/index.ts';
import { listLedgerKeys, postTransfers, signHead } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createClient } from '../../src/oidc/index.ts';
import { startAnvil } from './chains/anvil.ts';
import { createDepositBench, NETWORK } from './chains/deposit-bench.ts';
import {
  CONFIRMATIONS,
  type CommonLab,
  ETH,
  HOT_WALLET,
  type LabOperator,
  type Mutable,
  PAYEE,
  WINDOW,
  type Writable,
} from './payout-chain-types.ts';
import { startService } from './running-service.ts';
import { createSoftPasskey } from './soft-passkey.ts';
import { insertUser } from './test-users.ts';

/** The key that signs heads is made with the first one. */
export async function readLedgerKeys(database: Database): Promise<SignerConfig['ledger_keys']> {
  await signHead(database);
  const keys = await listLedgerKeys(database);
  return keys.map(({ kid, public_jwk }) => ({ kid, x: String(public_jwk.x) }));
}

const RULE = {
  network: NETWORK,
  fee: '0.01',
  minimum: '0.05',
  person_day_max: '100000',
  day_max: '1000000',
  email_only_day_max: '0',
  automatic_max: '0',
  four_eyes_above: '5',
};

type Funds = readonly (readonly [currency: string, amount: bigint])[];

const FUNDS: Funds = [
  ['ETH', 1000n * ETH],
  ['USDT', 1000n * 10n ** 6n],
];

async function fund(database: Database, userId: number, funds: Funds): Promise<void> {
  const common = { businessId: 'deposit', eventAt: systemClock.now() };
  for (const [currency, amount] of funds)
    await postTransfers(database, [
      {
        ...common,
        idempotencyKey: `fund/${userId}/${currency}`,
        debit: { house: 'deposit_clearing' },
        credit: { userId, wallet: 'asset' },
        currency,
        amount,
      },
    ]);
}

async function openService(lab: Mutable, database: Database): Promise<void> {
  lab.database = database;
  lab.bench = createDepositBench(lab.database);
  await lab.bench.configure([lab.anvil.url], {
    requiredConfirmations: CONFIRMATIONS,
    reorgWindow: WINDOW,
  });
  await lab.bench.addToken('ETH', undefined, 18);
  await lab.bench.addToken('USDT', lab.usdt, 6);
  await openAccess(lab);
}

/** The service over HTTP, the client of the signer, and operators with passkeys. */
export async function openAccess(lab: Writable<CommonLab>): Promise<void> {
  lab.service = await startService(lab.database, { env: { ROLES: 'http' } });
  const { secret } = await createClient(lab.database, systemClock, {
    clientId: 'signer',
    name: 'Signer',
    isPublic: false,
    redirectUris: [],
    scopes: ['operator:payouts-sign'],
    grantTypes: ['client_credentials'],
    isFirstParty: true,
  });
  lab.clientSecret = secret ?? '';
  lab.ledgerKeys = await readLedgerKeys(lab.database);
  const addOperator = async (): Promise<LabOperator> => {
    const userId = await insertUser(lab.database, { operatorScopes: ['operator:payouts'] });
    const passkey = createSoftPasskey(lab.service.baseUrl);
    await passkey.enrol(lab.database, userId);
    return { userId, passkey };
  };
  lab.operators = [await addOperator(), await addOperator()];
}

/** A user with money, and an address that can be paid. */
export async function addUser(
  lab: Writable<CommonLab>,
  { funds, address }: { readonly funds: Funds; readonly address: string },
): Promise<void> {
  lab.user = await insertUser(lab.database);
  await fund(lab.database, lab.user, funds);
  await addAddress(lab, lab.user, address);
}

/** Adds an address that can be paid at once. */
export async function addAddress(lab: CommonLab, userId: number, address: string): Promise<void> {
  await lab.database.query(
    `insert into payout_address (user_id, network, address, address_key, label, created_at,
       usable_at) values ($1, $2, $3, lower($3), 'mine', now(), now())`,
    [userId, NETWORK, address],
  );
}

export async function putPolicy(
  { service }: CommonLab,
  currencies: readonly string[],
): Promise<void> {
  const token = await service.tokens.operator('operator:payouts');
  const rules = currencies.map((currency) => ({ ...RULE, currency }));
  const answer = await fetch(`${service.baseUrl}/operator/payout-policy`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ rules, automatic_age_days: 0 }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

export async function startChain(lab: Mutable): Promise<void> {
  lab.anvil = await startAnvil();
  lab.usdt = await lab.anvil.deployToken('USDT', 6);
}

/** A service on a database, and a hot wallet that is funded on the chain. */
export async function setUpPayouts(lab: Mutable, database: Database): Promise<void> {
  lab.folder = mkdtempSync(join(tmpdir(), 'edge-signer-'));
  await lab.anvil.call('anvil_setBalance', [HOT_WALLET, `0x${(100n * ETH).toString(16)}`]);
  const pay = lab.anvil.encode('pay', [HOT_WALLET, 1000n * 10n ** 6n]);
  await lab.anvil.send({ to: lab.usdt, data: pay });
  await lab.anvil.mine();
  await openService(lab, database);
  await addUser(lab, { funds: FUNDS, address: PAYEE });
  await putPolicy(lab, ['ETH', 'USDT']);
}
