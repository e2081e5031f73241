/** Whatever the service accepts over HTTP is exported, and imported again with equal balances. */
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import type { Database } from '../src/db/index.ts';
import { runExport } from '../src/import-export/index.ts';
import { OPERATOR_SCOPES } from '../src/oidc/index.ts';
import { openTestDatabase } from './support/databases.ts';
import { createImportFolder, type ImportFolder } from './support/import-folder.ts';
import { findProblems, readBalances } from './support/import-source.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';
import { insertUser } from './support/test-users.ts';
import { createTestTokens, type TestTokens } from './support/tokens.ts';

const SEED = 20_261_126;
const REQUESTS = 250;

let first: Database;
let second: Database;
let app: App;
let tokens: TestTokens;
let folder: ImportFolder;
beforeAll(async () => {
  first = await openTestDatabase('server');
  second = await openTestDatabase('server', { isOwner: true });
  app = await createApp({ config: testConfig(), database: first, masterKey: testMasterKey });
  await app.start();
  tokens = createTestTokens(first);
  folder = createImportFolder();
});
afterAll(async () => {
  await app.stop();
  await first.close();
  await second.close();
  folder.remove();
});

const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength }),
    fc.string({ unit: 'binary', minLength: 1, maxLength }),
    fc.constantFrom('=SUM(A1)', '"', ',', '\n', `0x${'ab'.repeat(32)}`, '9'.repeat(64), ' é '),
    fc.constant('r'.repeat(maxLength)),
  );
const amount = (decimals: number) =>
  fc
    .tuple(fc.bigInt(0n, 10n ** 12n), fc.nat(10 ** Math.min(decimals, 9) - 1))
    .map(([whole, part]) => `${whole}.${String(part).padStart(Math.min(decimals, 9), '0')}`);
const user = fc.nat(5);
const currency = fc.constantFrom('EDGE', 'USDT', 'ETH');

interface Sent {
  readonly url: string;
  /** The number of the user; the request names them, or is theirs. */
  readonly of: number;
  readonly method?: 'POST' | 'PATCH' | 'PUT';
  readonly isOwn?: boolean;
  readonly body: object;
}

const reward = fc.record({
  url: fc.constant('/operator/rewards'),
  of: user,
  body: fc.record(
    {
      currency,
      amount: amount(6),
      reward_type: fc.constantFrom('BONUS', 'TASK', 'UPTIME', 'PENALTY'),
      reference: text(256),
      remark: text(256),
      node_id: text(128),
    },
    { requiredKeys: ['currency', 'amount', 'reward_type'] },
  ),
});
const transfer = fc
  .tuple(user, currency, amount(6), fc.constantFrom('asset', 'bonus'), fc.boolean(), text(256))
  .map(([of, code, sum, wallet, isDebit, remark]) => {
    const [own, house] = [{ of, wallet }, { house: 'adjustment' }];
    const sides = isDebit ? { debit: own, credit: house } : { debit: house, credit: own };
    const item = { ...sides, currency: code, amount: sum, business_id: 'adjustment', remark };
    return {
      url: '/operator/transfers',
      of,
      body: { transfers: [{ ...item, may_overdraw: true }] },
    };
  });
const purchase = fc
  .tuple(user, amount(9), text(128), fc.boolean())
  .map(([of, sum, reference, external]) => ({
    ...{ url: '/operator/purchases', of },
    body: { amount: sum, reference, external },
  }));
const nickname = fc.record({
  url: fc.constant('/me'),
  of: user,
  method: fc.constant('PATCH' as const),
  isOwn: fc.constant(true),
  body: fc.record({ nickname: text(40) }),
});
const hold = fc.tuple(user, fc.constantFrom('0.000001', '1')).map(([of, sum]) => ({
  ...{ url: '/operator/withdrawals', of },
  body: { currency: 'USDT', amount: sum },
}));
const request: fc.Arbitrary<Sent> = fc.oneof(reward, transfer, purchase, nickname, hold);

test('whatever was accepted', async () => {
  const users: number[] = [];
  for (let n = 0; n < 6; n++) {
    const userId = await insertUser(first);
    users.push(userId);
  }
  const operator = await tokens.operator(...OPERATOR_SCOPES);
  const accepted = new Map<string, number>();
  for (const [n, sent] of fc.sample(request, { seed: SEED, numRuns: REQUESTS }).entries()) {
    const userId = users[sent.of] ?? 0;
    const token = sent.isOwn ? (await tokens.login(userId)).accessToken : operator;
    const isNamed = sent.isOwn || 'transfers' in sent.body;
    const body = JSON.stringify(isNamed ? sent.body : { user_id: userId, ...sent.body });
    const answer = await app.http.inject({
      method: sent.method ?? 'POST',
      url: sent.url,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `request-${n}`,
      },
      payload: body.replaceAll(/"of":\d+/g, `"user_id":${userId}`),
    });
    if (answer.statusCode < 300) accepted.set(sent.url, (accepted.get(sent.url) ?? 0) + 1);
  }
  expect([...accepted.keys()].sort()).toEqual([
    ...['/me', '/operator/purchases', '/operator/rewards'],
    ...['/operator/transfers', '/operator/withdrawals'],
  ]);
  await app.http.inject({
    ...{ method: 'POST', url: `/operator/users/${users[5]}/disable`, payload: { reason: 'x' } },
    headers: { authorization: `Bearer ${operator}` },
  });
  rmSync(folder.path, { recursive: true });
  const options = { folder: folder.path, format: 'csv', hasBills: true } as const;
  const { underWay } = await runExport(first, testMasterKey, options);
  expect(underWay).toEqual({ holds: expect.any(Number), payouts: 0 });
  expect(underWay.holds).toBeGreaterThan(0);
  const { rejected, certificate } = await folder.run(second);
  expect([...rejected]).toEqual([]);
  expect(certificate?.content.agrees).toBe(true);
  expect(await readBalances(second)).toEqual(await readBalances(first));
  expect(await findProblems(second)).toEqual([]);
});
