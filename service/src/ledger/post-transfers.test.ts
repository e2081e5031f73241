import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { readEarnings } from '../../test/support/read-earnings.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import { type Posting, postTransfers, readBalances } from './index.ts';

const EVENT = new Date('2026-11-01T10:00:00Z');

describe.each(ENGINES)('posting on %s', (engine) => {
  let database: Database;
  let user: number;
  let other: number;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    user = await insertUser(database);
    other = await insertUser(database);
  });
  afterAll(() => database.close());

  const reward = (
    idempotencyKey: string,
    amount: bigint,
    fields: Partial<Posting> = {},
  ): Posting => ({
    idempotencyKey,
    debit: { house: 'reward_pool' },
    credit: { userId: user, wallet: 'bonus' },
    currency: 'EDGE',
    amount,
    businessId: 'reward',
    eventAt: EVENT,
    rewardType: 'UPTIME',
    ...fields,
  });
  const spend = (
    idempotencyKey: string,
    amount: bigint,
    fields: Partial<Posting> = {},
  ): Posting => ({
    ...reward(idempotencyKey, amount),
    debit: { userId: user, wallet: 'bonus' },
    credit: { house: 'package_sales' },
    businessId: 'package_purchase',
    ...fields,
  });
  const balance = async (): Promise<bigint> =>
    (await readBalances(database, user, 'bonus'))[0]?.balance ?? 0n;

  test('opens accounts on demand and lists the others with zero', async () => {
    expect(
      (await readBalances(database, user, 'bonus')).map((row) => [row.currency, row.balance]),
    ).toEqual([
      ['EDGE', 0n],
      ['USDT', 0n],
      ['ETH', 0n],
    ]);
    expect(await postTransfers(database, [reward('first', 100n)])).toEqual([
      { status: 'posted', transferId: expect.any(Number) },
    ]);
    expect(await balance()).toBe(100n);
  });

  test('replays the same answer, and refuses another body under the same key', async () => {
    const [first] = await postTransfers(database, [reward('again', 5n)]);
    const before = await balance();
    expect(await postTransfers(database, [reward('again', 5n), reward('again', 6n)])).toEqual([
      { ...first, status: 'replayed' },
      { status: 'refused', code: 'idempotency_key_reused' },
    ]);
    expect(await balance()).toBe(before);
  });

  test('a key that was posted and refused at once stands for the posting', async () => {
    const [first] = await postTransfers(database, [reward('both', 5n)]);
    await database.query(
      `insert into refused_posting (id, idempotency_key, request_hash, code, created_at)
       values (16001, 'both', '\\x00', 'insufficient_funds', now())`,
    );
    expect(await postTransfers(database, [reward('both', 5n)])).toEqual([
      { ...first, status: 'replayed' },
    ]);
    expect(await postTransfers(database, [reward('both', 6n)])).toEqual([
      { status: 'refused', code: 'idempotency_key_reused' },
    ]);
  });

  test('refuses one item and posts the others; a refused key stays refused', async () => {
    const before = await balance();
    const batch = [
      spend('too-much', before + 1n),
      reward('neighbour', 10n),
      spend('fits', 1n),
      reward('unknown-user', 1n, { credit: { userId: other + 1, wallet: 'bonus' } }),
    ];
    expect(
      (await postTransfers(database, batch)).map((result) =>
        'code' in result ? result.code : result.status,
      ),
    ).toEqual(['insufficient_funds', 'posted', 'posted', 'unknown_user']);
    await postTransfers(database, [reward('more', 1000n)]);
    expect(await postTransfers(database, [spend('too-much', before + 1n)])).toEqual([
      { status: 'refused', code: 'insufficient_funds' },
    ]);
    const asked = reward('unknown-user', 1n, {
      credit: { userId: await insertUser(database), wallet: 'bonus' },
    });
    expect(await postTransfers(database, [asked])).toEqual([
      { status: 'refused', code: 'unknown_user' },
    ]);
    expect(
      (await postTransfers(database, [{ ...asked, idempotencyKey: 'known-user' }]))[0]?.status,
    ).toBe('posted');
    // The wallet is known to the process by now.
    expect(await postTransfers(database, [asked])).toEqual([
      { status: 'refused', code: 'unknown_user' },
    ]);
  });

  test('an atomic batch is all or nothing', async () => {
    const before = await balance();
    const batch = [reward('atomic-1', 7n), spend('atomic-2', 10n ** 30n)];
    expect(
      (await postTransfers(database, batch, { atomic: true })).map(
        (result) => 'code' in result && result.code,
      ),
    ).toEqual(['batch_refused', 'insufficient_funds']);
    expect(await balance()).toBe(before);
  });

  test('earnings follow the day of the event and are signed', async () => {
    await postTransfers(database, [
      reward('earn-1', 50n, {
        eventAt: new Date('2026-11-05T23:59:59.999Z'),
        credit: { userId: other, wallet: 'bonus' },
      }),
      reward('earn-2', 20n, {
        eventAt: new Date('2026-11-06T00:00:00Z'),
        credit: { userId: other, wallet: 'bonus' },
      }),
      {
        ...reward('penalty', 30n, { eventAt: new Date('2026-11-05T12:00:00Z'), mayOverdraw: true }),
        debit: { userId: other, wallet: 'bonus' },
        credit: { house: 'reward_pool' },
      },
    ]);
    expect((await readEarnings(database, other)).map((row) => [row.day, row.amount])).toEqual([
      ['2026-11-05', 20n],
      ['2026-11-06', 20n],
    ]);
  });

  test('concurrent posts to the same accounts are all counted, without gaps', async () => {
    const before = await balance();
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => postTransfers(database, [reward(`many-${i % 30}`, 3n)])),
    );
    expect(await balance()).toBe(before + 90n);
    const { rows } = await database.query<{ n: number; top: number; total: string; seqs: number }>(
      `select count(*) as n, max(position) as top, max(seq) as seqs, sum(case direction when 1
        then amount else -amount end) as total from entry where wallet_id = $1`,
      [user * 32 + 2],
    );
    expect(rows[0]?.n).toBe(rows[0]?.top);
    expect(rows[0]?.n).toBe(rows[0]?.seqs);
    expect(BigInt(rows[0]?.total ?? 0)).toBe(before + 90n);
  });

  test('a posting that cannot be stored fails alone, not its whole batch', async () => {
    const before = await balance();
    const calls = Array.from({ length: 20 }, (_, i) =>
      postTransfers(database, [reward(`shared-${i}`, 1n, i === 7 ? { remark: 'a\0b' } : {})]),
    );
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(
      Array.from({ length: 20 }, (_, i) => (i === 7 ? 'rejected' : 'fulfilled')),
    );
    expect(await balance()).toBe(before + 19n);
  });
});
