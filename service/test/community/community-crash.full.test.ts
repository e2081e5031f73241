/** The tree with many writers, and with kills: nothing lost, nothing counted twice, no deadlock. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rollUp, verifyCommunity } from '../../src/community/index.ts';
import { type Database, openServer } from '../../src/db/index.ts';
import { verifySales } from '../../src/operator/index.ts';
import { CHILD_FLAGS, childCache } from '../support/child-node.ts';
import { createServerDatabase } from '../support/databases.ts';
import { enqueueJoins, insertPeople } from './tree-oracle.ts';

const WRITER = new URL('tree-writer.ts', import.meta.url).pathname;
const CHAIN = 30;

let url: string;
let database: Database;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  url = await createServerDatabase({ isOwner: true });
  database = await openServer({ url, poolSize: 4, onError: () => {} });
  await insertPeople(database, CHAIN, (i) => i - 1);
  await enqueueJoins(database);
  await rollUp(database);
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await database.close();
});

/** Starts a writer; `ended` resolves with its exit code, or null when it was killed. */
function start(...args: string[]): { child: ChildProcess; ended: Promise<number | null> } {
  const child = spawn(process.execPath, [...CHILD_FLAGS, WRITER, url, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...childCache() },
  });
  children.add(child);
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => {
      children.delete(child);
      resolve(code);
    });
  });
  return { child, ended };
}

async function countDeadlocks(): Promise<number> {
  await database.query('select pg_stat_clear_snapshot()');
  const { rows } = await database.query<{ deadlocks: number }>(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.deadlocks ?? -1;
}

async function readFigures(): Promise<{ downline: number; amount: string }> {
  const { rows } = await database.query<{ downline: number; amount: string }>(
    `select downline_count as downline, downline_amount as amount from community_stats
      where user_id = 1`,
  );
  return rows[0] ?? { downline: 0, amount: '' };
}

test('two processes that write below the same users lose nothing and never deadlock', async () => {
  const roller = start('r', 'roll');
  const codes = await Promise.all([
    start('a', 'join', '500').ended,
    start('b', 'join', '500').ended,
  ]);
  expect(codes).toEqual([0, 0]);
  roller.child.kill('SIGKILL');
  await roller.ended;
  await rollUp(database);
  expect(await verifyCommunity(database)).toMatchObject({ members: CHAIN + 1000, problems: [] });
  const own = await database.query<{ amount: string }>(
    'select sum(amount) as amount from community_purchase_total where user_id > 1',
  );
  expect(await readFigures()).toEqual({ downline: CHAIN - 1 + 1000, amount: own.rows[0]?.amount });
  const all = await database.query<{ amount: string }>(
    'select sum(amount) as amount from community_purchase_total',
  );
  expect(all.rows[0]?.amount).toBe((1400n * 10n ** 18n).toString());
  const books = async (name: string) =>
    (
      await database.query<{ amount: string; n: number }>(
        'select sum(amount) as amount, count(*) as n from transfer where idempotency_key like $1',
        [name],
      )
    ).rows[0];
  expect(await books('purchase:%')).toEqual({ amount: (1500n * 10n ** 18n).toString(), n: 1000 });
  expect(await books('purchase-refund:%')).toEqual({
    amount: (100n * 10n ** 18n).toString(),
    n: 200,
  });
  expect(await verifySales(database)).toEqual({ purchases: 1000, refunds: 200, problems: [] });
  expect(await countDeadlocks()).toBe(0);
});

test('a roll-up that is killed repeatedly ends with the recomputed figures', async () => {
  const writers = [start('a', 'join', '300').ended, start('b', 'join', '300').ended];
  let kills = 0;
  let isWriting = true;
  const done = Promise.all(writers).then((codes) => {
    isWriting = false;
    return codes;
  });
  while (isWriting) {
    const roller = start('r', 'roll');
    // Long enough to start and to be at work, each time at another place.
    await sleep(500 + ((kills * 37) % 200));
    roller.child.kill('SIGKILL');
    await roller.ended;
    kills++;
  }
  expect(await done).toEqual([0, 0]);
  expect(kills).toBeGreaterThan(1);
  await rollUp(database);
  expect(await verifyCommunity(database)).toMatchObject({ members: CHAIN + 600, problems: [] });
});
