/** A server with payouts, a funded user, operators with passkeys, and a settable clock. */
import type { Database } from '../../src/db/index.ts';
import { type HttpServer, type Outgoing, OutgoingError } from '../../src/http/index.ts';
import { installLedger, postTransfers, readBalances } from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { registerOperatorMoney } from '../../src/operator/index.ts';
import { type PayoutsDeps, registerPayouts } from '../../src/payouts/index.ts';
import { reviewPayouts } from '../../src/payouts/review-payouts.ts';
import { type Engine, openTestDatabase } from './databases.ts';
import { createSoftPasskey, type SoftPasskey } from './soft-passkey.ts';
import { testConfig, testMasterKey } from './test-config.ts';
import { asOperator, bearer, createTestServer } from './test-server.ts';
import { insertUser } from './test-users.ts';

export const ETH = 10n ** 18n;
export const TARGET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

export const RULE = {
  currency: 'ETH',
  network: 'ETHEREUM',
  fee: '0.01',
  minimum: '0.05',
  person_day_max: '10',
  day_max: '1000',
  email_only_day_max: '0.1',
  automatic_max: '1',
  four_eyes_above: '5',
};

type Answer = Awaited<ReturnType<HttpServer['inject']>>;
type Json = Record<string, unknown>;

export interface Operator {
  readonly userId: number;
  readonly passkey: SoftPasskey;
}

/** Makes a network usable without an endpoint. */
async function enable(database: Database, now: Date): Promise<void> {
  await database.query(
    `insert into deposit_wallet (family, xpub, created_at) values ('evm', 'test', $1)`,
    [now],
  );
  await database.query(
    `update network set wallet_id = (select max(id) from deposit_wallet), is_enabled = true,
       rpc_urls_sealed = '' where code = 'ETHEREUM'`,
  );
}

/** Answers of the sanctions check from memory; the real client has its own tests. */
function createOutgoing(answers: ReadonlyMap<string, { status: number; text: string }>): Outgoing {
  return {
    checkUrl: (url) => {
      if (!url.startsWith('https:')) throw new OutgoingError('not_https', 'must be https');
    },
    send: async ({ url }) => {
      const answer = answers.get(url);
      if (!answer) throw new OutgoingError('timeout', 'no answer came in time');
      return { headers: {}, body: Buffer.from(answer.text), ...answer };
    },
  };
}

async function createParts(engine: Engine) {
  const clock = createManualClock('2026-11-10T12:00:00Z');
  const database = await openTestDatabase(engine);
  installLedger(database, { clock, masterKey: testMasterKey });
  const app = createTestServer();
  const frozen = new Set<number>();
  const sharing = new Set<number>();
  /** By URL; none: no answer. */
  const answers = new Map<string, { status: number; text: string }>();
  const deps: PayoutsDeps = {
    ...{ database, clock, outgoing: createOutgoing(answers) },
    config: testConfig(),
    masterKey: testMasterKey,
    isMoneyFrozen: async (_db, _clock, userId) => frozen.has(userId),
    sharesDevices: async (_db, userId) => sharing.has(userId),
  };
  registerPayouts(app, deps);
  registerOperatorMoney(app, deps);
  await enable(database, clock.now());
  return { clock, database, app, frozen, sharing, answers, deps };
}
type Parts = Awaited<ReturnType<typeof createParts>>;

interface Call {
  readonly body?: unknown;
  readonly as: { readonly authorization: string };
  readonly key?: string;
}

let keys = 0;

/** Calls over HTTP, and the callers. */
function createCalls({ app, clock }: Parts) {
  return {
    client: asOperator('operator:payouts', 'operator:withdrawals'),
    signer: asOperator('operator:payouts-sign'),
    asUser: (userId: number, claims: Json = {}) =>
      bearer({
        userId,
        tokenUse: 'business',
        scopes: ['account:read', 'wallet:write', 'operator:payouts'],
        authTime: clock.now(),
        ...claims,
      }),
    call: (
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      url: string,
      { body, as, key }: Call,
    ): Promise<Answer> =>
      app.inject({
        method,
        url,
        headers: {
          ...as,
          prefer: 'amounts=string',
          'idempotency-key': key ?? `key-${++keys}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      }),
  };
}

/** Users with money, and operators with passkeys. */
function createPeople({ database, clock }: Parts) {
  return {
    async addUser(amount = 10n * ETH): Promise<number> {
      const userId = await insertUser(database, { createdAt: new Date('2026-01-01T00:00:00Z') });
      const [result] = await postTransfers(database, [
        {
          idempotencyKey: `fund/${userId}`,
          debit: { house: 'deposit_clearing' },
          credit: { userId, wallet: 'asset' },
          currency: 'ETH',
          amount,
          businessId: 'deposit',
          eventAt: clock.now(),
        },
      ]);
      if (result?.status !== 'posted') throw new Error('the user was not funded');
      return userId;
    },
    async addOperator(): Promise<Operator> {
      const userId = await insertUser(database, { operatorScopes: ['role:finance'] });
      const passkey = createSoftPasskey();
      await passkey.enrol(database, userId);
      return { userId, passkey };
    },
    async balance(userId: number): Promise<{ balance: bigint; hold: bigint }> {
      const all = await readBalances(database, userId, 'asset');
      const { balance = 0n, hold = 0n } = all.find(({ currency }) => currency === 'ETH') ?? {};
      return { balance, hold };
    },
  };
}

/** What people and the signer do. */
function createActions(
  { database, deps }: Parts,
  { call, asUser, client, signer }: ReturnType<typeof createCalls>,
) {
  const read = async (id: number): Promise<Json> =>
    (await call('GET', `/operator/payouts/${id}`, { as: client })).json();
  return {
    read,
    putPolicy: (policy: Json = {}) =>
      call('PUT', '/operator/payout-policy', {
        as: client,
        body: { rules: [RULE], automatic_age_days: 30, reviews_new_address: false, ...policy },
      }),
    /** Adds an address that is usable now. */
    async addAddress(userId: number, address = TARGET): Promise<number> {
      const body = { network: 'ETHEREUM', address, label: 'mine' };
      const added = await call('POST', '/me/payout-addresses', { as: asUser(userId), body });
      const { id } = added.json() as { id: number };
      await database.query('update payout_address set usable_at = created_at where id = $1', [id]);
      return id;
    },
    request: (userId: number, addressId: number, amount: string, key?: string) =>
      call('POST', '/payouts', {
        as: asUser(userId),
        ...(key !== undefined && { key }),
        body: { wallet: 'asset', currency: 'ETH', amount, address_id: addressId },
      }),
    review: () => reviewPayouts(deps),
    approve: async (id: number, { userId, passkey }: Operator, challenge?: string) =>
      call('POST', `/operator/payouts/${id}/approve`, {
        as: asUser(userId),
        body: {
          passkey_credential: passkey.assert(challenge ?? String((await read(id)).document_hash)),
        },
      }),
    take: (name = 'signer-one', limit = 50) =>
      call('POST', '/operator/payouts/take', {
        as: signer,
        body: { network: 'ETHEREUM', signer: name, limit },
      }),
    report: (reports: readonly Json[], name = 'signer-one') =>
      call('POST', '/operator/payouts/reports', { as: signer, body: { signer: name, reports } }),
  };
}

export async function openPayoutServer(engine: Engine) {
  const parts = await createParts(engine);
  const calls = createCalls(parts);
  return {
    ...parts,
    ...calls,
    ...createPeople(parts),
    ...createActions(parts, calls),
    async close() {
      await parts.app.close();
      await parts.database.close();
    },
  };
}

export type PayoutServer = Awaited<ReturnType<typeof openPayoutServer>>;
