/**
 * Problems of an operation's own that no test of its domain causes. With the tests of the domains
 * every problem that the OpenAPI document lists for an operation has been answered there once:
 * `npm run coverage` names the others.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import {
  ADVISORY_LOCKS,
  type Database,
  queryNamed,
  takeNamedLock,
  transaction,
} from '../src/db/index.ts';
import { postTransfers } from '../src/ledger/index.ts';
import { createManualClock } from '../src/lib/clock.ts';
import { MAX_MINOR } from '../src/lib/money.ts';
import { OPERATOR_SCOPES } from '../src/oidc/index.ts';
import { openTestDatabase } from './support/databases.ts';
import { codesOf, type DescribedOperation, readOperations } from './support/documented-examples.ts';
import { requestsOf, tokenFor } from './support/example-requests.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';
import { insertUser } from './support/test-users.ts';
import { createTestTokens, type TestTokens } from './support/tokens.ts';

const HOUR_MS = 3_600_000;
const clock = createManualClock('2026-11-10T12:00:00Z');
let database: Database;
let app: App;
let tokens: TestTokens;
let operations: DescribedOperation[];
beforeAll(async () => {
  database = await openTestDatabase('server', { isOwner: true });
  // Without the role of jobs: a hold must stay open after its end.
  const config = testConfig({
    ROLES: 'http,gateway',
    DATABASE_URL: 'postgres://unused',
    MASTER_KEY: '07'.repeat(32),
  });
  app = await createApp({ config, database, masterKey: testMasterKey, clock });
  await app.start();
  tokens = createTestTokens(database, { clock });
  operations = readOperations((await app.http.inject('/openapi.json')).json());
});
afterAll(async () => {
  await app.stop();
  await database.close();
});

interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly token: string;
  readonly body?: object;
  readonly key?: string;
}

const readSubject = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub;

let keys = 0;
async function ask({ method = 'POST', url, token, body = {}, key = `key-${++keys}` }: Asked) {
  const answer = await app.http.inject({
    ...{ method, url },
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
      ...(method !== 'GET' && { 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { payload: JSON.stringify(body) }),
  });
  return answer.json();
}

describe('what follows from the state of the caller', () => {
  /**
   * Sends the example of each operation that lists a code, unless it is named in `elsewhere`.
   * @returns those that answer something else
   */
  async function findOthers(
    code: string,
    tokenOf: (operation: DescribedOperation) => Promise<string>,
    elsewhere: readonly string[],
  ): Promise<string[]> {
    const others: string[] = [];
    const listed = operations.filter(
      (operation) =>
        codesOf(operation).includes(code) && !elsewhere.includes(operation.operationId),
    );
    expect(listed.length, code).toBeGreaterThan(5);
    for (const operation of listed) {
      const token = operation.security.length === 0 ? undefined : await tokenOf(operation);
      const [request] = requestsOf(operation);
      const answer = await app.http.inject({
        url: operation.path,
        ...request,
        headers: { ...request?.headers, ...(token && { authorization: `Bearer ${token}` }) },
      });
      const seen = answer.json().code;
      if (seen !== code) others.push(`${operation.operationId}: ${seen}`);
    }
    return others;
  }

  test('the limits of all counters are reached', async () => {
    const text = `create or replace function rate_limit_consume(of_subject text,
      of_window timestamptz) returns int language plpgsql as $$ begin return BODY; end $$`;
    const { rows } = await database.query<{ text: string }>(
      `select pg_get_functiondef('rate_limit_consume'::regproc) as text`,
    );
    await database.query(text.replace('BODY', '1000000'));
    // These need a ticket, a bound token or a search first, and have tests of their own.
    const elsewhere = ['sendLoginCode', 'sendReauthenticationCode', 'streamEvents', 'listMembers'];
    const others = await findOthers('rate_limited', (op) => tokenFor(database, tokens, op), [
      ...elsewhere,
      ...['sendHeartbeat', 'createConnectTicket', 'connectDevice'],
    ]);
    await database.query(rows[0]?.text ?? '');
    expect(others).toEqual([]);
  });

  test('a session that was verified long ago', async () => {
    const before = createManualClock(new Date(clock.now().getTime() - HOUR_MS / 2).toISOString());
    const older = createTestTokens(database, { clock: before });
    const tokenOf = async () => (await older.login(await insertUser(database))).accessToken;
    // The page of the consent, an operator's, and one that looks for the address first.
    const elsewhere = ['decideConsent', 'requestPayout'];
    expect(await findOthers('reauthentication_required', tokenOf, elsewhere)).toEqual([]);
  });

  test('an account that was closed a moment ago', async () => {
    const listed = operations
      .filter((operation) => codesOf(operation).includes('not_found'))
      .filter(({ path }) => !path.startsWith('/me'))
      .map(({ operationId }) => operationId);
    const tokenOf = async (): Promise<string> => {
      const userId = await insertUser(database);
      const { accessToken } = await tokens.login(userId);
      await database.query(`update app_user set status = 'closed' where id = $1`, [userId]);
      return accessToken;
    };
    const ofDevices = ['registerDevice', 'sendHeartbeat', 'connectDevice', 'createConnectTicket'];
    // The provider comes first.
    const upstream = ['startUpstreamLink', 'linkUpstreamIdentity'];
    const elsewhere = ['changePassword', 'closeAccount', ...upstream, ...ofDevices];
    expect(await findOthers('not_found', tokenOf, [...listed, ...elsewhere])).toEqual([]);
  });
});

describe('money', () => {
  let user: number;
  let token: string;
  let operator: string;
  let clientId: string;

  beforeAll(async () => {
    operator = await tokens.operator(...OPERATOR_SCOPES);
    clientId = readSubject(operator);
    const price = { currency: 'EDGE', quote_currency: 'USDT', price: '1' };
    await asOperator('/operator/prices', price);
  });
  beforeEach(async () => {
    user = await insertUser(database);
    token = (await tokens.login(user)).accessToken;
    for (const [wallet, currency] of [
      ['asset', 'USDT'],
      ['asset', 'EDGE'],
      ['bonus', 'EDGE'],
    ])
      await transfer({ credit: { user_id: user, wallet }, currency });
  });

  const asOperator = (url: string, body: object, key?: string) =>
    ask({ url, body, token: operator, ...(key !== undefined && { key }) });
  const transfers = (fields: object = {}) => ({
    transfers: [
      {
        debit: { house: 'adjustment' },
        credit: { user_id: user, wallet: 'asset' },
        currency: 'USDT',
        amount: '100',
        business_id: 'adjustment',
        ...fields,
      },
    ],
  });
  async function transfer(fields: object = {}): Promise<number> {
    const { results } = await asOperator('/operator/transfers', transfers(fields));
    return results[0].id;
  }
  const hold = async (fields: object = {}) => {
    const order = { user_id: user, currency: 'USDT', amount: '1', ...fields };
    return (await asOperator('/operator/withdrawals', order)).id as number;
  };
  const quote = async (amount = '1') => {
    const order = { currency: 'EDGE', amount, to_currency: 'USDT' };
    return (await ask({ url: '/bonus-account/convert/quote', token, body: order })).quote_id;
  };
  const convert = (quote_id: string, key?: string) =>
    ask({ url: '/bonus-account/convert', token, body: { quote_id }, ...(key && { key }) });
  const purchase = (key?: string) =>
    asOperator('/operator/purchases', { user_id: user, amount: '1', reference: 'p' }, key);

  /** A request, and the key that it has in the ledger. */
  interface Keyed {
    readonly send: (key: string) => Promise<Answer>;
    readonly ledgerKey: (key: string) => string;
    /** It changes a hold, and posts nothing. */
    readonly isStep?: boolean;
  }
  const named =
    (kind: string, end = '') =>
    (key: string) =>
      `${kind}:client:${clientId}:${key}${end}`;

  const REQUESTS: Readonly<Record<string, () => Promise<Keyed>>> = {
    transfers: async () => ({
      send: (key) => asOperator('/operator/transfers', transfers(), key),
      ledgerKey: named('transfer', ':0'),
    }),
    'a reversal': async () => {
      const id = await transfer();
      return {
        send: (key) => asOperator(`/operator/transfers/${id}/reverse`, {}, key),
        ledgerKey: named('reverse'),
      };
    },
    'a withdrawal': async () => ({
      send: (key) =>
        asOperator('/operator/withdrawals', { user_id: user, currency: 'USDT', amount: '1' }, key),
      ledgerKey: named('withdrawal'),
      isStep: true,
    }),
    'the settlement of a withdrawal': async () => {
      const id = await hold();
      return {
        send: (key) => asOperator(`/operator/withdrawals/${id}/settle`, {}, key),
        ledgerKey: named('settle'),
      };
    },
    'the cancellation of a withdrawal': async () => {
      const id = await hold();
      return {
        send: (key) => asOperator(`/operator/withdrawals/${id}/cancel`, {}, key),
        ledgerKey: named('cancel'),
        isStep: true,
      };
    },
    'a purchase': async () => ({ send: purchase, ledgerKey: named('purchase') }),
    'a refund': async () => {
      const { id } = await purchase();
      return {
        send: (key) => asOperator(`/operator/purchases/${id}/refund`, { amount: '1' }, key),
        ledgerKey: named('purchase-refund'),
      };
    },
    'a conversion': async () => {
      const id = await quote();
      return { send: (key) => convert(id, key), ledgerKey: () => `conversion:${id}:out` };
    },
  };

  class Undone extends Error {}

  test.each(Object.keys(REQUESTS))('a key in flight: %s', async (name) => {
    const request = await REQUESTS[name]?.();
    if (request === undefined) throw new Error(name);
    const { send, ledgerKey, isStep = false } = request;
    const key = `in-flight-${++keys}`;
    const holding = transaction(database, async (tx) => {
      const idempotencyKey = ledgerKey(key);
      if (isStep)
        await queryNamed(
          tx,
          `insert into hold_step (id, hold_id, kind, amount, remaining, created_at, request_hash,
             idempotency_key)
           values (-1, -1, 'place', 1, 1, now(), '', :key)`,
          { key: idempotencyKey },
        );
      else
        await postTransfers(tx, [
          {
            idempotencyKey,
            requestHash: '0'.repeat(32),
            debit: { house: 'reward_pool' },
            credit: { house: 'adjustment' },
            currency: 'ETH',
            amount: 1n,
            businessId: 'adjustment',
            eventAt: clock.now(),
          },
        ]);
      expect(await send(key)).toMatchObject({ status: 409, code: 'idempotency_in_flight' });
      throw new Undone();
    });
    await expect(holding).rejects.toThrow(Undone);
    expect((await send(key)).code).toBeUndefined();
  });

  /** Sets the sums of accounts as nothing real could. */
  const fill = (where: string, sums: string): Promise<unknown> =>
    database.query(`update account set ${sums} where ${where}`);
  const fillUser = () =>
    fill(`user_id = ${user}`, `credits = ${MAX_MINOR}, debits = ${MAX_MINOR - 10n ** 30n}`);
  const reward = () =>
    asOperator('/operator/rewards', {
      ...{ user_id: user, currency: 'EDGE', amount: '1', reward_type: 'BONUS' },
    });

  test('sums that would grow beyond their column', async () => {
    const tooLarge = { status: 409, code: 'balance_too_large' };
    const [id, offer, { id: bought }] = [await hold(), await quote(), await purchase()];
    const transferId = await transfer();
    await fillUser();
    expect(await reward()).toMatchObject(tooLarge);
    expect(await convert(offer)).toMatchObject(tooLarge);
    expect(await asOperator(`/operator/purchases/${bought}/refund`, {})).toMatchObject(tooLarge);
    await fill('user_id is null', `credits = ${MAX_MINOR}`);
    expect(await purchase()).toMatchObject(tooLarge);
    expect(await asOperator(`/operator/withdrawals/${id}/settle`, {})).toMatchObject(tooLarge);
    expect(await asOperator(`/operator/transfers/${transferId}/reverse`, {})).toMatchObject(
      tooLarge,
    );
    await fill('true', 'credits = least(credits, 10 ^ 40), debits = least(debits, 10 ^ 39)');
  });

  test('a reversal of a deposit of which some was taken back already', async () => {
    const deposit = await transfer({ business_id: 'deposit', amount: '5' });
    const back = { debit: { user_id: user, wallet: 'asset' }, credit: { house: 'adjustment' } };
    await transfer({ ...back, business_id: 'deposit_reversal', amount: '3' });
    expect(await asOperator(`/operator/transfers/${deposit}/reverse`, {})).toMatchObject({
      code: 'counter_negative',
    });
  });

  test('a key of a reversal that stands for another request', async () => {
    const [first, second] = [await transfer(), await transfer()];
    await asOperator(`/operator/transfers/${first}/reverse`, {}, 'one-reversal');
    expect(
      await asOperator(`/operator/transfers/${second}/reverse`, {}, 'one-reversal'),
    ).toMatchObject({ code: 'idempotency_key_reused' });
  });

  test('a conversion whose money is gone, and one of a closed wallet', async () => {
    const [offer, other] = [await quote('60'), await quote('60')];
    expect(await convert(offer)).toMatchObject({ amount: 60 });
    expect(await convert(other)).toMatchObject({ code: 'insufficient_funds' });
    const last = await quote();
    await fill(`user_id = ${user}`, 'closed = true');
    expect(await convert(last)).toMatchObject({ code: 'account_closed' });
  });

  test('a hold after its end, and after its settlement', async () => {
    const [id, other] = [await hold(), await hold()];
    await database.query(`update hold set expires_at = $2 where id = $1`, [id, clock.now()]);
    for (const what of ['settle', 'cancel'])
      expect(await asOperator(`/operator/withdrawals/${id}/${what}`, {})).toMatchObject({
        code: 'hold_expired',
      });
    await asOperator(`/operator/withdrawals/${other}/settle`, {});
    expect(await asOperator(`/operator/withdrawals/${other}/settle`, {})).toMatchObject({
      code: 'hold_not_open',
    });
  });
});

describe('answers that are kept under a key', () => {
  const ROUTES = [
    ...['hold', 'release', 'reject'].map((what) => ({
      route: `/operator/deposits/:id/${what}`,
      body: { reason: 'seen' },
    })),
    { route: '/payouts/:id/cancel', body: {} },
  ];

  test.each(ROUTES)(
    '$route: the key is in flight, then stands for a request',
    async ({ route, body }) => {
      const isOperators = route.startsWith('/operator/');
      const user = await insertUser(database);
      const token = isOperators
        ? await tokens.operator(...OPERATOR_SCOPES)
        : (await tokens.login(user)).accessToken;
      const caller = isOperators ? `client:${readSubject(token)}` : `user:${user}`;
      const send = (id: number) =>
        ask({ url: route.replace(':id', String(id)), token, body, key: 'kept' });
      await transaction(database, async (tx) => {
        const name = `${caller} POST ${route} kept`;
        await takeNamedLock(tx, ADVISORY_LOCKS.idempotencyKey, name);
        expect(await send(998)).toMatchObject({ code: 'idempotency_in_flight' });
      });
      expect(await send(998)).toMatchObject({ code: 'not_found' });
      expect(await send(999)).toMatchObject({ code: 'idempotency_key_reused' });
    },
  );
});

interface Answer {
  readonly status?: number;
  readonly code?: string;
}
