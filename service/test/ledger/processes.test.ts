/** Several processes on one ledger, and processes that are killed at any line. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Database, migrate, openEmbedded, openServer } from '../../src/db/index.ts';
import {
  installLedger,
  postTransfers,
  readBalances,
  verifyLedger,
} from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createServerDatabase, ENGINES, type Engine } from '../support/databases.ts';
import { sized } from '../support/scale.ts';
import { testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';
import { postingAt } from './posting-worker.ts';
import { killAfter, runPoster } from './run-poster.ts';

const KILLS = sized({ quick: 2, full: 10, soak: 50 });
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Place {
  readonly url?: string;
  readonly directory?: string;
}

async function open(place: Place): Promise<Database> {
  const database =
    place.url === undefined
      ? await openEmbedded({ ...(place.directory !== undefined && { directory: place.directory }) })
      : await openServer({ url: place.url, poolSize: 4, onError: () => {} });
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
  return database;
}

async function makePlace(engine: Engine): Promise<Place> {
  if (engine === 'server') return { url: await createServerDatabase() };
  const directory = mkdtempSync(join(tmpdir(), 'edge-account-crash-'));
  folders.push(directory);
  return { directory };
}

async function balancesOf(database: Database, userIds: readonly number[]): Promise<bigint[]> {
  return Promise.all(
    userIds.map(
      async (userId) => (await readBalances(database, userId, 'bonus'))[0]?.balance ?? 0n,
    ),
  );
}

/** Expected balances of users if postings 0 to `count` of each prefix were posted once. */
function expectedBalances(
  userIds: readonly number[],
  prefixes: readonly string[],
  count: number,
): bigint[] {
  const balances = new Map<number, bigint>();
  for (const prefix of prefixes) {
    for (let n = 0; n < count; n++) {
      const { debit, credit, amount } = postingAt({ prefix, userIds }, n);
      if ('userId' in debit)
        balances.set(debit.userId, (balances.get(debit.userId) ?? 0n) - amount);
      if ('userId' in credit)
        balances.set(credit.userId, (balances.get(credit.userId) ?? 0n) + amount);
    }
  }
  return userIds.map((userId) => balances.get(userId) ?? 0n);
}

test('two processes post to the same accounts: every key counts once', async () => {
  const place = await makePlace('server');
  const database = await open(place);
  const userIds = [
    await insertUser(database),
    await insertUser(database),
    await insertUser(database),
  ];
  const COUNT = 600;
  const task = { ...place, userIds, first: 0, count: COUNT, callers: 8 };
  const posters = [
    runPoster({ ...task, prefix: 'a' }),
    runPoster({ ...task, prefix: 'b' }),
    runPoster({ ...task, prefix: 'a', first: COUNT / 2, count: COUNT / 2 }),
  ];
  expect(await Promise.all(posters.map((poster) => poster.exited))).toEqual([0, 0, 0]);
  expect(await balancesOf(database, userIds)).toEqual(expectedBalances(userIds, ['a', 'b'], COUNT));
  expect(await verifyLedger(database)).toMatchObject({ findings: [], transfers: 2 * COUNT });
  await database.close();
});

describe.each(ENGINES)('kill -9 under load on %s', (engine) => {
  test(`14. every acknowledged posting is in the ledger, once, after ${KILLS} kills`, {
    timeout: 60_000 + KILLS * 20_000,
  }, async () => {
    const place = await makePlace(engine);
    let database = await open(place);
    await migrate(database);
    const userIds = [
      await insertUser(database),
      await insertUser(database),
      await insertUser(database),
    ];
    const acknowledged: string[] = [];
    let first = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      await database.close();
      const poster = runPoster({
        ...place,
        userIds,
        prefix: 'k',
        first,
        count: 1_000_000,
        callers: 16,
      });
      await killAfter(poster, 60 + ((kill * 37) % 90));
      acknowledged.push(...poster.acknowledged);
      database = await open(place);
      expect((await verifyLedger(database)).findings).toEqual([]);
      const { rows } = await database.query<{ idempotency_key: string }>(
        'select idempotency_key from transfer where idempotency_key = any($1)',
        [poster.acknowledged],
      );
      expect(new Set(rows.map((row) => row.idempotency_key))).toEqual(new Set(poster.acknowledged));
      // The next process begins a few postings earlier: what was posted without acknowledgement
      // must not count twice.
      first = Math.max(0, first + poster.acknowledged.length - 10);
    }
    const last = first + 200;
    for (let n = 0; n < last; n += 50) {
      await postTransfers(
        database,
        Array.from({ length: 50 }, (_, i) => postingAt({ prefix: 'k', userIds }, n + i)),
      );
    }
    const count =
      (
        await database.query<{ n: number }>(
          "select count(*) as n from transfer where idempotency_key like 'k:%'",
        )
      ).rows[0]?.n ?? 0;
    expect(count).toBeGreaterThanOrEqual(Math.max(last, new Set(acknowledged).size));
    expect(await balancesOf(database, userIds)).toEqual(expectedBalances(userIds, ['k'], count));
    expect((await verifyLedger(database)).findings).toEqual([]);
    await database.close();
  });
});
