/**
 * A server with both wallets and the operators' money routes, one user, and a settable clock.
 */

import type { Database } from '../../src/db/index.ts';
import { type HttpServer, type Outgoing, OutgoingError } from '../../src/http/index.ts';
import { findUser } from '../../src/identity/index.ts';
import { installLedger } from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { registerOperatorMoney } from '../../src/operator/index.ts';
import { registerWallets } from '../../src/wallets/index.ts';
import { type Engine, openTestDatabase } from './databases.ts';
import { testMasterKey } from './test-config.ts';
import { asOperator, asPerson, createTestServer } from './test-server.ts';
import { insertUser } from './test-users.ts';

export const OPERATOR = asOperator(
  'operator:rewards',
  'operator:transfers',
  'operator:withdrawals',
  'operator:prices',
  'operator:ledger',
);

type Headers = Record<string, string>;
type Answer = Awaited<ReturnType<HttpServer['inject']>>;

export interface MoneyServer {
  readonly database: Database;
  readonly app: HttpServer;
  readonly clock: ReturnType<typeof createManualClock>;
  /** A user with empty wallets. */
  readonly user: number;
  /** Responses of external addresses. */
  readonly answers: Map<string, string>;
  readonly outgoing: Outgoing;
  /** Users whose money is frozen. */
  readonly frozen: Set<number>;
  /** A new Idempotency-Key. */
  key(): string;
  /** As the operator, with a new key by default. */
  post(url: string, payload: unknown, headers?: Headers): Promise<Answer>;
  /** As the user. */
  get(url: string): Promise<Answer>;
  /** The body of a reward of 1.5 EDGE to the user. */
  reward(fields?: object): object;
  balanceOf(path: string, currency: string): Promise<object>;
  close(): Promise<void>;
}

/** Responds from memory; the real one has its own tests. */
function createOutgoing(answers: ReadonlyMap<string, string>): Outgoing {
  return {
    checkUrl: (url) => {
      if (!url.startsWith('https:'))
        throw new OutgoingError('not_https', 'the address must begin with https://');
    },
    send: async ({ url }) => {
      const text = answers.get(url);
      if (text === undefined) throw new OutgoingError('timeout', 'no answer came in time');
      return { status: 200, headers: {}, body: Buffer.from(text), text };
    },
  };
}

/**
 * @param beside another server: this one is a second instance on its database, with separate caches
 */
export async function openMoneyServer(engine: Engine, beside?: MoneyServer): Promise<MoneyServer> {
  const clock = createManualClock('2026-11-10T12:00:00Z');
  const database = beside ? { ...beside.database } : await openTestDatabase(engine);
  installLedger(database, { clock, masterKey: testMasterKey });
  const app = createTestServer();
  const answers = new Map<string, string>();
  const frozen = new Set<number>();
  const outgoing = createOutgoing(answers);
  const deps = {
    database,
    clock,
    outgoing,
    displayCurrency: 'USDT',
    baseUrl: 'https://account.edge.example',
    findUser,
    serviceName: () => 'Edge Account',
    isMoneyFrozen: async (_db: unknown, _clock: unknown, userId: number) => frozen.has(userId),
  };
  registerWallets(app, deps);
  registerOperatorMoney(app, deps);
  const user = await insertUser(database);
  let keys = 0;
  const key = (): string => `${beside ? 'second' : 'key'}-${++keys}`;
  const get = (url: string, headers: Headers = {}): Promise<Answer> =>
    app.inject({ url, headers: { ...asPerson(user, 'account:read', 'wallet:write'), ...headers } });
  return {
    database,
    app,
    clock,
    user,
    answers,
    outgoing,
    frozen,
    key,
    get,
    post: (url, payload, headers = {}) =>
      app.inject({
        method: 'POST',
        url,
        headers: {
          ...OPERATOR,
          'content-type': 'application/json',
          'idempotency-key': key(),
          ...headers,
        },
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      }),
    reward: (fields = {}) => ({
      user_id: user,
      currency: 'EDGE',
      amount: '1.5',
      reward_type: 'UPTIME',
      ...fields,
    }),
    balanceOf: async (path, currency) =>
      (await get(`${path}/info?currency=${currency}`, { prefer: 'amounts=string' })).json()[0],
    async close() {
      await app.close();
      if (!beside) await database.close();
    },
  };
}
