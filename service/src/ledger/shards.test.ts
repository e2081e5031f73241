import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServerDatabase } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, openServer, type Transaction, transaction } from '../db/index.ts';
import { systemClock } from '../lib/clock.ts';
import {
  expireHolds,
  findHold,
  installLedger,
  type Posting,
  placeHold,
  postTransfers,
} from './index.ts';

// On the server only: the embedded database has one connection, so two postings never overlap.
const WAITING = 20;
let database: Database;
let count = 0;
beforeAll(async () => {
  database = await openServer({
    url: await createServerDatabase(),
    poolSize: WAITING + 4,
    onError: () => {},
  });
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
});
afterAll(() => database.close());

const reward = (userId: number): Posting => ({
  idempotencyKey: `reward-${++count}`,
  debit: { house: 'reward_pool' },
  credit: { userId, wallet: 'asset' },
  currency: 'EDGE',
  amount: 1n,
  businessId: 'reward',
  eventAt: systemClock.now(),
});
const spend = (userId: number, amount: bigint): Posting => ({
  ...reward(userId),
  debit: { userId, wallet: 'asset' },
  credit: { house: 'package_sales' },
  businessId: 'package_purchase',
  amount,
});
/** In a transaction of its own, shared with no other posting. */
const postAlone = (userId: number) =>
  transaction(database, (tx) => postTransfers(tx, [reward(userId)]));

/** Runs `work` while a transaction holds the rows that `lock` locks. */
async function whileHolding<T>(
  lock: (tx: Transaction) => Promise<unknown>,
  work: (release: () => void) => Promise<T>,
): Promise<T> {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = transaction(database, async (tx) => {
    await lock(tx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  try {
    return await work(released.resolve);
  } finally {
    released.resolve();
    await holding;
  }
}

const countWaiting = async (): Promise<number> =>
  (
    await database.query<{ n: number }>(
      `select count(*) as n from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock'`,
    )
  ).rows[0]?.n ?? 0;

test('postings that wait for one account do not block shards for others', async () => {
  const [held, other] = [await insertUser(database), await insertUser(database)];
  await postAlone(held);
  const waiting = await whileHolding(
    (tx) => tx.query('select from account where user_id = $1 for update', [held]),
    async () => {
      const account = { userId: held, wallet: 'asset' } as const;
      const holds = Array.from({ length: WAITING / 2 }, (_, i) =>
        placeHold(database, {
          idempotencyKey: `hold-${i}`,
          account,
          currency: 'EDGE',
          amount: 1n,
          businessId: 'withdrawal',
        }),
      );
      const postings = Array.from({ length: WAITING / 2 }, () => postAlone(held));
      await expect.poll(countWaiting).toBe(WAITING);
      expect(await postAlone(other)).toMatchObject([{ status: 'posted' }]);
      expect(
        await placeHold(database, {
          idempotencyKey: 'other',
          account: { ...account, userId: other },
          currency: 'EDGE',
          amount: 1n,
          businessId: 'withdrawal',
        }),
      ).toMatchObject({
        status: 'done',
      });
      return { holds, postings };
    },
  );
  expect((await Promise.all(waiting.postings)).flat().map((result) => result.status)).toEqual(
    Array(WAITING / 2).fill('posted'),
  );
  // Ten holds of one unit each, of eleven that exist once all was posted: some may have been placed
  // earlier.
  for (const result of await Promise.all(waiting.holds))
    expect(['done', 'refused']).toContain(result.status);
});

test('batches that wait for a lock leave capacity for others', async () => {
  const [one, two, other] = [
    await insertUser(database),
    await insertUser(database),
    await insertUser(database),
  ];
  for (const user of [one, two, other]) await postAlone(user);
  const waiting = await whileHolding(
    (tx) => tx.query('select from account where user_id = any($1) for update', [[one, two]]),
    async () => {
      const postings = [postTransfers(database, [reward(one)])];
      await expect.poll(countWaiting).toBe(1);
      postings.push(postTransfers(database, [reward(two)]));
      await expect.poll(countWaiting).toBe(2);
      expect(await postTransfers(database, [reward(other)])).toMatchObject([{ status: 'posted' }]);
      return postings;
    },
  );
  expect((await Promise.all(waiting)).flat().map((result) => result.status)).toEqual([
    'posted',
    'posted',
  ]);
});

test('a key that is refused while a batch on cached state waits stays refused', async () => {
  const user = await insertUser(database);
  // Until the next one is in the cache completely.
  for (let i = 0; i < 3; i++)
    for (const posting of [reward(user), spend(user, 1n)]) await postTransfers(database, [posting]);
  const contested = spend(user, 10n ** 9n);
  const refused = Promise.withResolvers<unknown>();
  const released = Promise.withResolvers<void>();
  const refusing = transaction(database, async (tx) => {
    refused.resolve(await postTransfers(tx, [contested]));
    await released.promise;
  });
  expect(await refused.promise).toEqual([{ status: 'refused', code: 'insufficient_funds' }]);
  const posted = postTransfers(database, [{ ...contested, amount: 1n }]);
  await expect.poll(countWaiting).toBe(1);
  released.resolve();
  await refusing;
  expect(await posted).toEqual([{ status: 'refused', code: 'idempotency_key_reused' }]);
  expect(
    (
      await database.query('select from transfer where idempotency_key = $1', [
        contested.idempotencyKey,
      ])
    ).rowCount,
  ).toBe(0);
});

test('a posting takes the first shard that becomes free', async () => {
  const user = await insertUser(database);
  // A hold with too little would be refused, and a refusal waits for every shard.
  await postAlone(user);
  const lockShards = (first: number, last: number) => (tx: Transaction) =>
    tx.query('select from ledger_shard where shard between $1 and $2 for update', [first, last]);
  await whileHolding(lockShards(0, 14), () =>
    whileHolding(lockShards(15, 15), async (release) => {
      const posted = postAlone(user);
      const held = placeHold(database, {
        idempotencyKey: 'late',
        account: { userId: user, wallet: 'asset' },
        currency: 'EDGE',
        amount: 1n,
        businessId: 'withdrawal',
      });
      release();
      expect(await posted).toMatchObject([{ status: 'posted' }]);
      expect((await held).status).toBe('done');
    }),
  );
});

test('accounts of one wallet, opened at once in many currencies, do not deadlock', async () => {
  const countDeadlocks = async (): Promise<number> =>
    (
      await database.query<{ n: number }>(
        'select deadlocks as n from pg_stat_database where datname = current_database()',
      )
    ).rows[0]?.n ?? 0;
  const before = await countDeadlocks();
  for (let round = 0; round < 8; round++) {
    const people = [await insertUser(database), await insertUser(database)];
    const results = await Promise.all(
      Array.from({ length: WAITING }, (_, i) =>
        postTransfers(
          database,
          [{ ...reward(people[i % 2] ?? 0), currency: ['ETH', 'USDT', 'EDGE'][i % 3] ?? '' }],
          { atomic: true },
        ),
      ),
    );
    expect(results.flat().map((result) => result.status)).toEqual(Array(WAITING).fill('posted'));
  }
  // Counted once a backend is idle: the number here may be too small, never too large.
  await database.query('select pg_stat_clear_snapshot()');
  expect(await countDeadlocks()).toBe(before);
});

test('an expired hold whose account is locked delays no other', async () => {
  const [kept, other] = [await insertUser(database), await insertUser(database)];
  const ids: number[] = [];
  for (const userId of [kept, other]) {
    await postAlone(userId);
    const order = {
      idempotencyKey: `expiring-${userId}`,
      account: { userId, wallet: 'asset' },
      currency: 'EDGE',
      amount: 1n,
      businessId: 'withdrawal',
      life_s: 0,
    } as const;
    const result = await placeHold(database, order);
    if (result.status !== 'refused') ids.push(result.hold.id);
  }
  await whileHolding(
    (tx) => tx.query('select from account where user_id = $1 for update', [kept]),
    async () => {
      await expect(expireHolds(database)).rejects.toThrow('1 holds were not released');
      expect((await findHold(database, ids[1] ?? 0))?.state).toBe('expired');
    },
  );
  expect(await expireHolds(database)).toBe(1);
});
