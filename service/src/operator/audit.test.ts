import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { POLICY_RULE, RULES, XPUB } from '../../test/support/operator-bodies.ts';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { createTestTokens } from '../../test/support/tokens.ts';
import { type App, createApp } from '../app.ts';
import { NOT_AUDITED, sealEntries } from '../audit/index.ts';
import { type Database, transaction } from '../db/index.ts';
import { OPERATOR_SCOPES } from '../oidc/index.ts';
import type { AuditEntryVO } from './audit-schemas.ts';

interface Answer {
  readonly id?: number;
  readonly client_id?: string;
  readonly version?: number;
  readonly results?: readonly { readonly id: number }[];
}

/** What each operation that changes something is called with, in an order in which all succeed. */
type Call = readonly [
  operation: string,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string | ((answers: ReadonlyMap<string, Answer>, user: number) => string),
  body?: object | ((answers: ReadonlyMap<string, Answer>, user: number) => object),
];

const ofUser = (path: string) => (_: unknown, user: number) => `/operator/users/${user}${path}`;
const of = (operation: string, path: (id: number | string) => string) => {
  return (answers: ReadonlyMap<string, Answer>) => {
    const answer = answers.get(operation);
    return path(
      answer?.client_id ?? answer?.id ?? answer?.version ?? answer?.results?.[0]?.id ?? 0,
    );
  };
};

const CALLS: readonly Call[] = [
  ['setUserGroups', 'PUT', ofUser('/groups'), { groups: ['staff'] }],
  ['disableUser', 'POST', ofUser('/disable'), { reason: 'fraud check' }],
  ['enableUser', 'POST', ofUser('/enable'), { reason: 'cleared' }],
  ['endUserSessions', 'POST', ofUser('/end-sessions'), { reason: 'laptop stolen' }],
  ['addUserNote', 'POST', ofUser('/notes'), { text: 'called about a deposit' }],
  [
    'createClient',
    'POST',
    '/operator/clients',
    {
      ...{ client_name: 'Fleet', type: 'confidential', scopes: ['openid'] },
      ...{ redirect_uris: ['https://app.example.test/cb'], grant_types: ['authorization_code'] },
    },
  ],
  [
    'updateClient',
    'PATCH',
    of('createClient', (id) => `/operator/clients/${id}`),
    { client_name: 'Fleet 2' },
  ],
  ['replaceClientSecret', 'POST', of('createClient', (id) => `/operator/clients/${id}/secret`)],
  ['deleteClient', 'DELETE', of('createClient', (id) => `/operator/clients/${id}`)],
  ['createRegistrationToken', 'POST', '/operator/registration-tokens', { uses: 2 }],
  ['deleteUpstreamProvider', 'DELETE', '/operator/upstream-providers/example'],
  [
    'putResourceServer',
    'PUT',
    '/operator/resource-servers/orders',
    {
      ...{ name: 'Orders', audience: 'https://orders.example.com' },
      scopes: [{ name: 'orders:read', description: 'See your orders' }],
    },
  ],
  ['putOperatorBrand', 'PUT', '/operator/brand', { name: 'Acme' }],
  ['deleteResourceServer', 'DELETE', '/operator/resource-servers/orders'],
  [
    'createWebhook',
    'POST',
    '/operator/webhooks',
    { url: 'https://hooks.example/edge', description: 'Bookkeeping', event_types: ['deposit.*'] },
  ],
  [
    'updateWebhook',
    'PATCH',
    of('createWebhook', (id) => `/operator/webhooks/${id}`),
    { description: 'Books' },
  ],
  [
    'rotateWebhookSecret',
    'POST',
    of('createWebhook', (id) => `/operator/webhooks/${id}/rotate-secret`),
  ],
  ['testWebhook', 'POST', of('createWebhook', (id) => `/operator/webhooks/${id}/test`)],
  [
    'redeliverMessage',
    'POST',
    (answers) => `/operator/webhooks/${answers.get('createWebhook')?.id}/deliveries/1/redeliver`,
  ],
  ['deleteWebhook', 'DELETE', of('createWebhook', (id) => `/operator/webhooks/${id}`)],
  ['putCurrency', 'PUT', '/operator/currencies/ETH', { scale: 18 }],
  ['putWalletKind', 'PUT', '/operator/wallets/house_audit', { house: true }],
  [
    'setPrice',
    'POST',
    '/operator/prices',
    { currency: 'EDGE', quote_currency: 'ETH', price: '0.123456789012345678' },
  ],
  [
    'putPriceFeed',
    'PUT',
    '/operator/price-feeds/eth',
    {
      ...{ url: 'https://hooks.example/eth', pointer: '/last', every_s: 60 },
      ...{ currency: 'EDGE', quote_currency: 'ETH' },
    },
  ],
  ['deletePriceFeed', 'DELETE', '/operator/price-feeds/eth'],
  ['createRules', 'POST', '/operator/rules', { rules: RULES }],
  [
    'replaceRules',
    'PUT',
    of('createRules', (id) => `/operator/rules/${id}`),
    { rules: { ...RULES, uptime: { amount: '0.75' } } },
  ],
  ['activateRules', 'POST', of('createRules', (id) => `/operator/rules/${id}/activate`), {}],
  [
    'putChain',
    'PUT',
    '/operator/chains/ETHEREUM',
    {
      ...{ kind: 'evm', xpub: XPUB, required_confirmations: 3 },
      ...{ rpc_urls: ['https://hooks.example/key-of-the-endpoint'], is_enabled: false },
    },
  ],
  [
    'putChainToken',
    'PUT',
    '/operator/chains/ETHEREUM/tokens/ETH',
    { decimals: 18, min_deposit: '0.01', is_enabled: true },
  ],
  [
    'putPayoutPolicy',
    'PUT',
    '/operator/payout-policy',
    { rules: [POLICY_RULE], automatic_age_days: 30 },
  ],
  ['stopPayouts', 'PUT', '/operator/payout-stops/ETH', { reason: 'incident' }],
  ['resumePayouts', 'DELETE', '/operator/payout-stops/ETH'],
  [
    'payReward',
    'POST',
    '/operator/rewards',
    (_, user) => ({ user_id: user, currency: 'EDGE', amount: '1.5', reward_type: 'UPTIME' }),
  ],
  [
    'postTransfers',
    'POST',
    '/operator/transfers',
    (_, user) => ({
      transfers: [
        {
          ...{ debit: { house: 'deposit_clearing' }, credit: { user_id: user, wallet: 'asset' } },
          ...{ currency: 'ETH', amount: '4', business_id: 'deposit' },
        },
      ],
    }),
  ],
  [
    'createPurchase',
    'POST',
    '/operator/purchases',
    (_, user) => ({ user_id: user, amount: '3', reference: 'order 1', external: true }),
  ],
  [
    'refundPurchase',
    'POST',
    of('createPurchase', (id) => `/operator/purchases/${id}/refund`),
    { amount: '1' },
  ],
  [
    'createWithdrawal',
    'POST',
    '/operator/withdrawals',
    (_, user) => ({ user_id: user, currency: 'ETH', amount: '2' }),
  ],
  [
    'settleWithdrawal',
    'POST',
    of('createWithdrawal', (id) => `/operator/withdrawals/${id}/settle`),
    { amount: '1' },
  ],
  [
    'cancelWithdrawal',
    'POST',
    of('createWithdrawal', (id) => `/operator/withdrawals/${id}/cancel`),
    { reason: 'asked twice' },
  ],
  [
    'releaseHeldRewards',
    'POST',
    '/operator/held-rewards/release',
    (_, user) => ({ user_id: user, reason: 'one household' }),
  ],
  [
    'reverseTransfer',
    'POST',
    of('payReward', (id) => `/operator/transfers/${id}/reverse`),
    { remark: 'mistake' },
  ],
  ['freezeUserMoney', 'POST', ofUser('/freeze-money'), { reason: 'stolen card' }],
  ['releaseUserMoney', 'POST', ofUser('/release-money'), { reason: 'card is theirs' }],
  // Freezes the money of the person: the last one.
  ['resetUserSecondFactors', 'POST', ofUser('/reset-second-factors'), { reason: 'lost phone' }],
];

/** What needs a chain, a signer, another provider or a settlement; the hook is the same. */
const ELSEWHERE: readonly string[] = [
  ...[
    'backfillChain',
    'resumeChain',
    'haltChain',
    'holdDeposit',
    'releaseDeposit',
    'rejectDeposit',
  ],
  ...['approvePayout', 'rejectPayout', 'releasePayout', 'decidePayoutMismatch'],
  ...['putUpstreamProvider', 'redeliverDeadLetters', 'closeSettlement'],
];

/** Of changes of people. */
const REASONS = ['fraud check', 'one household'];

describe.each(RUN_ENGINES)('the audit log on %s', (engine) => {
  let database: Database;
  let app: App;
  let keys = 0;
  let user: number;
  let operator: number;
  let asPerson: string;
  let asClient: string;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = await createApp({
      config: testConfig({ OUTGOING_LOOPBACK: 'allow' }),
      database,
      masterKey: testMasterKey,
    });
    await app.start();
    [user, operator] = [await insertUser(database), await insertUser(database)];
    const tokens = createTestTokens(database);
    await database.query(
      `insert into reward_user (user_id, hold_reason, held_at) values ($1, 'shared_key', now())`,
      [user],
    );
    await database.query(
      "update app_user set operator_scopes = '{role:admin}', nickname = 'Ana' where id = $1",
      [operator],
    );
    await database.query(
      `insert into upstream_provider (id, label, issuer, client_id, scopes, second_factor_amr,
         secret_sealed, response_mode, is_enabled, created_at, updated_at)
       values ('example', 'Example', 'https://id.example.com', 'c', '{}', '{}', 'sealed secret',
         'query', true, now(), now())`,
    );
    const authTime = new Date();
    asPerson = await tokens.person(operator, { scopes: OPERATOR_SCOPES, authTime });
    asClient = await tokens.operator(...OPERATOR_SCOPES);
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });

  const send = (method: Call[1] | 'GET', url: string, body?: object, token = asPerson) =>
    app.http.inject({
      ...{ method, url, ...(body && { payload: body }) },
      headers: {
        ...{ authorization: `Bearer ${token}`, 'user-agent': 'Console of the test' },
        'idempotency-key': `key-${++keys}`,
      },
    });
  const list = async (query: string): Promise<AuditEntryVO[]> => {
    const answer = await send('GET', `/operator/audit?${query}`);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().entries;
  };

  test('names who changed it, for every operation that changes something', async () => {
    const answers = new Map<string, Answer>();
    const first = (await list('size=1'))[0]?.id;
    for (const [operation, method, url, body] of CALLS) {
      const path = typeof url === 'string' ? url : url(answers, user);
      const sent = typeof body === 'function' ? body(answers, user) : body;
      const answer = await send(method, path, sent);
      expect(answer.statusCode, `${operation} ${answer.body}`).toBeLessThan(300);
      answers.set(operation, answer.body === '' ? {} : answer.json());
      const entries = await list(`operation=${operation}`);
      expect(entries.length, operation).toBeGreaterThan(0);
      for (const entry of entries)
        expect(entry).toMatchObject({
          actor: { kind: 'person', id: String(operator), client_id: 'test' },
          ip: '127.0.0.1',
          user_agent: 'Console of the test',
          request_id: answer.headers['x-request-id'],
        });
    }
    const { rows } = await database.query<{ actor_id: string; operation: string }>(
      `select actor_id, operation, subject_kind from audit_entry
       where actor_kind = 'database' and id > $1`,
      [first],
    );
    expect(rows).toEqual([]);
  });

  test('has before and after, why, and no secret', async () => {
    const one = async (operation: string) => (await list(`operation=${operation}`))[0];
    expect(await one('setUserGroups')).toMatchObject({
      actor: { name: 'Ana' },
      subject: { kind: 'users', id: String(user) },
      before: { groups: [] },
      after: { groups: ['staff'] },
    });
    expect(await one('disableUser')).toMatchObject({
      before: { status: 'active' },
      after: { status: 'disabled' },
      reason: 'fraud check',
    });
    expect(await one('updateClient')).toMatchObject({
      before: { name: 'Fleet' },
      after: { name: 'Fleet 2' },
    });
    expect(await one('deleteWebhook')).toMatchObject({
      before: { url: expect.stringContaining('http'), is_active: true },
      after: { is_active: false, removed_at: expect.any(String) },
    });
    expect(await one('stopPayouts')).toMatchObject({ reason: 'incident' });
    expect(await one('cancelWithdrawal')).toMatchObject({
      subject: { kind: 'withdrawals' },
      before: { state: 'open', remaining: 1 },
      after: { state: 'cancelled', remaining: 0, user_id: user, currency: 'ETH', amount: 2 },
      reason: 'asked twice',
    });
    expect(await one('releaseHeldRewards')).toMatchObject({
      subject: { kind: 'held-rewards', id: String(user) },
      reason: 'one household',
    });
    expect(await one('createPurchase')).toMatchObject({
      subject: { kind: 'purchases' },
      after: { user_id: user, currency: 'EDGE', reference: 'order 1', is_external: true },
    });
    expect(await one('refundPurchase')).toMatchObject({
      subject: { kind: 'purchases' },
      before: { refunded: 0 },
      after: { refunded: 1, user_id: user },
    });
    expect(await one('replaceClientSecret')).toMatchObject({
      before: { secret_hash: '(secret)' },
      after: { secret_hash: '(secret)' },
    });
    const [postings] = await list('operation=postTransfers');
    expect(postings?.idempotency_key).toMatch(/^key-/);
    const price = await send('GET', '/operator/audit?operation=setPrice');
    expect(price.body).toContain('"price":0.123456789012345678');
    const { rows } = await database.query<{ text: string }>(
      "select string_agg(e::text, ' ') as text from audit_entry e where actor_kind = 'person'",
    );
    for (const secret of ['key-of-the-endpoint', 'sealed secret', ...REASONS, '127.0.0.1'])
      expect(rows[0]?.text).not.toContain(secret);
    expect(rows[0]?.text).not.toContain(Buffer.from('sealed secret').toString('hex'));
  });

  test('has no column whose name is that of a secret, of any table', async () => {
    const { rows } = await database.query<{ name: string }>(
      `select distinct key as name from audit_entry,
         jsonb_each(coalesce(before, '{}') || coalesce(after, '{}')) as c (key, value)
       where key ~ '(secret|hash|token|password|sealed|key)' and value <> '"(secret)"'
         and key <> 'body_hash'`,
    );
    expect(rows).toEqual([]);
    // And none is of bytes: keys, hashes and what is encrypted.
    const { rows: bytes } = await database.query(
      `select c.relname || '.' || a.attname as name from pg_trigger t
         join pg_class c on c.oid = t.tgrelid
         join pg_attribute a on a.attrelid = c.oid and a.atttypid = 'bytea'::regtype
         join pg_proc p on p.oid = t.tgfoid and p.proname = 'record_change'
       where not a.attname = any (string_to_array(split_part(encode(t.tgargs, 'escape'),
         '\\000', 3), ','))`,
    );
    expect(bytes).toEqual([]);
  });

  test('says that a statement without an actor came from the database', async () => {
    await transaction(database, async (tx) => {
      await tx.query("set local application_name = 'psql'");
      await tx.query("update app_user set operator_scopes = '{role:admin}' where id = $1", [user]);
    });
    const [entry] = await list(`subject_kind=users&subject_id=${user}`);
    expect(entry).toMatchObject({
      actor: { kind: 'database' },
      operation: 'update',
      before: { operator_scopes: [] },
      after: { operator_scopes: ['role:admin'] },
    });
  });

  test('a refused request, and one that is repeated, adds nothing', async () => {
    await sealEntries(database);
    const before = await list('size=1');
    const note = await send('POST', '/operator/users/999999/notes', { text: 'about no user' });
    expect(note.statusCode).toBe(404);
    const again = await send('PUT', `/operator/users/${user}/groups`, { groups: 'wrong' });
    expect(again.statusCode).toBe(400);
    const late = { user_id: user, currency: 'NONE', amount: '1' };
    expect((await send('POST', '/operator/withdrawals', late)).statusCode).toBe(400);
    const unpaid = { user_id: user, amount: '1000000', reference: 'order 2' };
    expect((await send('POST', '/operator/purchases', unpaid)).statusCode).toBe(409);
    expect(await list('size=1')).toEqual(before);
  });

  test('postings of a program are in the ledger only', async () => {
    const reward = { user_id: user, currency: 'EDGE', amount: '2', reward_type: 'UPTIME' };
    const paid = await send('POST', '/operator/rewards', reward, asClient);
    expect(paid.statusCode).toBe(200);
    expect(await list('actor_kind=client&operation=payReward')).toEqual([]);
    const order = { user_id: user, amount: '2', reference: 'order 3', external: true };
    const sold = await send('POST', '/operator/purchases', order, asClient);
    expect(sold.statusCode).toBe(200);
    expect(await list('actor_kind=client&operation=createPurchase')).toEqual([]);
    await send('POST', `/operator/purchases/${sold.json().id}/refund`, {}, asClient);
    expect(await list('actor_kind=client&operation=refundPurchase')).toMatchObject([
      { before: { refunded: 0 }, after: { refunded: 2 } },
    ]);
    const groups = { groups: ['staff', 'eu'] };
    await send('PUT', `/operator/users/${user}/groups`, groups, asClient);
    expect(await list('actor_kind=client&actor_id=test-operator')).toMatchObject([
      { operation: 'setUserGroups', ip: '127.0.0.1' },
      { operation: 'refundPurchase', ip: '127.0.0.1' },
    ]);
  });

  test('is read page by page, with each filter', async () => {
    await sealEntries(database);
    const all = await list('size=100');
    const seen: AuditEntryVO[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const page = await send(
        'GET',
        `/operator/audit?size=7${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...page.json().entries);
      cursor = page.json().next;
    }
    expect(seen.slice(0, 100)).toEqual(all);
    const filters: Record<string, (entry: AuditEntryVO) => boolean> = {
      [`actor_id=${operator}`]: ({ actor }) => actor.id === String(operator),
      'actor_kind=database': ({ actor }) => actor.kind === 'database',
      'subject_kind=webhooks': ({ subject }) => subject.kind === 'webhooks',
      [`subject_id=${user}`]: ({ subject }) => subject.id === String(user),
      'subject_kind=clients&operation=updateClient': (entry) => entry.operation === 'updateClient',
      'text=incident': (entry) => JSON.stringify(entry).includes('incident'),
      'from=2999-01-01T00:00:00Z': () => false,
      'to=2999-01-01T00:00:00Z': () => true,
    };
    for (const [query, matches] of Object.entries(filters))
      expect(await list(`size=100&${query}`), query).toEqual(all.filter(matches).slice(0, 100));
    for (const wrong of ['cursor=x', 'size=0', 'size=101', 'actor_kind=god', 'from=yesterday'])
      expect((await send('GET', `/operator/audit?${wrong}`)).statusCode, wrong).toBe(400);
  });

  test('is exported as JSON and as CSV', async () => {
    await sealEntries(database);
    const json = await send('GET', '/operator/audit/export?subject_kind=webhooks');
    const entries = await list('size=100&subject_kind=webhooks');
    expect(json.json()).toEqual(entries);
    expect((await send('GET', '/operator/audit/export?text=nothing+has+this')).json()).toEqual([]);
    const csv = await app.http.inject({
      url: '/operator/audit/export?subject_kind=webhooks',
      headers: { authorization: `Bearer ${asPerson}`, accept: 'text/csv' },
    });
    expect(csv.body.split('\r\n').slice(0, -1)).toHaveLength(entries.length + 1);
    expect(csv.body).toMatch(/^id,at,actor_kind,actor_id,actor_name/);
  });

  test('no operation that changes something is forgotten', async () => {
    const { paths } = (await app.http.inject('/openapi.json')).json() as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const changes = Object.entries(paths)
      .filter(([path]) => path.startsWith('/operator/'))
      .flatMap(([, methods]) => Object.entries(methods))
      .filter(([method]) => method !== 'get')
      .map(([, { operationId }]) => operationId);
    const known = [...CALLS.map(([operation]) => operation), ...ELSEWHERE, ...NOT_AUDITED.keys()];
    expect([...new Set(known)].sort()).toEqual(changes.sort());
  });
});
