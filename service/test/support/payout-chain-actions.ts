/** What people, operators and signers do in the fixture of payouts on a real chain. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig, type SignerConfig } from '../../../signer/src/config.ts';
import { openSigner, type SignerOptions } from '../../../signer/src/open-signer.ts';
import { createOutgoing } from '../../src/http/index.ts';
import { readBalances } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { followPayouts } from '../../src/payouts/follow-payouts.ts';
import { type PayoutsDeps, verifyWallets } from '../../src/payouts/index.ts';
import { reviewPayouts } from '../../src/payouts/review-payouts.ts';
import type { Hex } from './chains/anvil.ts';
import { NETWORK } from './chains/deposit-bench.ts';
import {
  type ChainLab,
  CONFIRMATIONS,
  type CommonLab,
  HOT_KEY,
  HOT_WALLET,
  type Mutable,
} from './payout-chain-types.ts';
import { testMasterKey } from './test-config.ts';

function units(decimals: number, amount: number): string {
  return String(BigInt(amount) * 10n ** BigInt(decimals));
}

export function toToken(currency: string, contract: string | null, decimals: number) {
  return {
    currency,
    contract,
    payout_max: units(decimals, 1000),
    hour_max: units(decimals, 10_000),
    address_hour_max: units(decimals, 10_000),
    automatic_max: '0',
    four_eyes_above: units(decimals, 5),
  };
}

/** What signers of all kinds of chains are configured with. */
export function commonConfig(lab: CommonLab) {
  const { baseUrl } = lab.service;
  return {
    ...{ service_url: baseUrl, client_id: 'signer', network: NETWORK },
    state_file: join(lab.folder, 'signer.sqlite'),
    operators: lab.operators.map(({ userId, passkey }, at) => ({
      name: `operator ${at}`,
      user_id: userId,
      keys: [{ credential_id: passkey.id, public_key: passkey.publicKey.toString('base64url') }],
    })),
    ledger_keys: lab.ledgerKeys,
    rp_id: new URL(baseUrl).hostname,
    origins: [new URL(baseUrl).origin],
    confirmations: CONFIRMATIONS,
    poll_ms: 20,
  };
}

function makeConfig(lab: ChainLab, changes: object): SignerConfig {
  return parseConfig({
    ...commonConfig(lab),
    chain_id: 31337,
    rpc_url: lab.anvil.url,
    tokens: [toToken('ETH', null, 18), toToken('USDT', lab.usdt.toLowerCase(), 6)],
    max_fee_per_gas: '100000000000',
    max_priority_fee_per_gas: '1000000000',
    gas_budget_day: units(18, 10),
    ...changes,
  });
}

function toDeps(lab: CommonLab, later_ms = 0): PayoutsDeps {
  const clock = { now: () => new Date(systemClock.now().getTime() + later_ms) };
  return {
    ...{ database: lab.database, clock, config: lab.service.config },
    masterKey: testMasterKey,
    outgoing: createOutgoing({ allowsLoopback: true, timeout_ms: 60_000 }),
    isMoneyFrozen: async () => false,
    sharesDevices: async () => false,
  };
}

async function call(lab: CommonLab, token: string, path: string, body?: object) {
  const answer = await fetch(lab.service.baseUrl + path, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': crypto.randomUUID(),
      prefer: 'amounts=string',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
}

async function approve(lab: CommonLab, id: number): Promise<void> {
  for (const { userId, passkey } of lab.operators) {
    const payout = await lab.read(id);
    if (payout.status === 'approved') return;
    const token = await lab.service.tokens.person(userId, {
      scopes: ['operator:payouts'],
      authTime: systemClock.now(),
    });
    const passkey_credential = passkey.assert(String(payout.document_hash));
    await call(lab, token, `/operator/payouts/${id}/approve`, { passkey_credential });
  }
}

/** What does not depend on the kind of the chain. */
export function createCommonActions<Lab extends CommonLab>(lab: Lab, coin: string): Lab {
  let later_ms = 0;
  return Object.assign(lab, {
    async request(amount: string, currency = coin) {
      const { accessToken } = await lab.service.tokens.login(lab.user);
      const { rows } = await lab.database.query<{ id: number }>(
        'select id from payout_address where user_id = $1 and removed_at is null',
        [lab.user],
      );
      const body = { wallet: 'asset', currency, amount, address_id: rows[0]?.id };
      return (await call(lab, accessToken, '/payouts', body)).id as number;
    },
    async approved(amount: string, currency = coin) {
      const id = await lab.request(amount, currency);
      await lab.review();
      await lab.approve(id);
      const { status } = await lab.read(id);
      if (status !== 'approved') throw new Error(`the payout ${id} is ${status}`);
      return id;
    },
    review: () => reviewPayouts(toDeps(lab)),
    approve: (id: number) => approve(lab, id),
    operate: async (path: string, body: object) =>
      call(lab, await lab.service.tokens.operator('operator:payouts'), path, body),
    sign: async (path: string, body: object) =>
      call(lab, await lab.service.tokens.operator('operator:payouts-sign'), path, body),
    read: async (id: number) =>
      call(lab, await lab.service.tokens.operator('operator:payouts'), `/operator/payouts/${id}`),
    async follow(more_ms = 0) {
      later_ms += more_ms;
      await lab.bench.settle();
      await followPayouts(toDeps(lab, later_ms));
    },
    async balance(userId: number, currency = coin) {
      const all = await readBalances(lab.database, userId, 'asset');
      const { balance = 0n, hold = 0n } = all.find((one) => one.currency === currency) ?? {};
      return { balance, hold };
    },
  });
}

export function createActions(lab: Mutable): ChainLab {
  return Object.assign(createCommonActions(lab, 'ETH'), {
    config: (changes = {}) => makeConfig(lab, changes),
    open: (options: Partial<SignerOptions> = {}) =>
      openSigner({
        config: lab.config(),
        key: HOT_KEY,
        clientSecret: lab.clientSecret,
        log: () => undefined,
        ...options,
      }),
    async verify() {
      const wallets = [{ network: await lab.bench.network(), address: HOT_WALLET }];
      return (await verifyWallets(lab.database, testMasterKey, wallets)).problems;
    },
    onChain: async (address: string) =>
      BigInt(await lab.anvil.call<Hex>('eth_getBalance', [address, 'latest'])),
  });
}

/** Writes the configuration for a signer that is a process; returns its path. */
export function writeSignerConfig(
  lab: Pick<ChainLab, 'folder'> & { config(changes?: object): object },
  changes: object = {},
): string {
  const path = join(lab.folder, 'signer.json');
  writeFileSync(path, JSON.stringify(lab.config(changes)));
  return path;
}
