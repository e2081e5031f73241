/**
 * After any random history of the chain, followed by four watchers at once, the ledger equals the
 * final chain exactly.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Anvil, type Hex, startAnvil } from '../../test/support/chains/anvil.ts';
import { readChainTruth } from '../../test/support/chains/chain-truth.ts';
import { createDepositBench, type Person } from '../../test/support/chains/deposit-bench.ts';
import { createRandom } from '../../test/support/chains/random.ts';
import { type Life, liveOneRound } from '../../test/support/chains/random-rounds.ts';
import { createServerDatabase } from '../../test/support/databases.ts';
import { sized } from '../../test/support/scale.ts';
import { type Database, openServer } from '../db/index.ts';

const ROUNDS = sized({ quick: 15, full: 15, soak: 500 });
const SEED = Number(process.env.SEED ?? 20_261_120);
const CHECK_EVERY = sized({ quick: 5, full: 5, soak: 50 });
const CONFIRMATIONS = 4;
/**
 * Deeper than the confirmations, so that credits are reversed; shallower than the window, so that
 * nothing halts.
 */
const DEPTH_MAX = 9;
const WATCHERS = 4;
const SEE_MS = 1000;
const MINIMUM = 500_000n;
const STRANGER: Hex = '0x00000000000000000000000000000000000000ee';

let anvil: Anvil;
let databases: Database[];

beforeAll(async () => {
  anvil = await startAnvil();
  const url = await createServerDatabase();
  databases = await Promise.all(
    Array.from({ length: WATCHERS }, () => openServer({ url, poolSize: 3, onError: () => {} })),
  );
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await anvil.stop();
});

/** Lets every watcher poll repeatedly while `work` changes the chain. */
async function whileWatching(
  benches: readonly ReturnType<typeof createDepositBench>[],
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const watching = benches.map(async (bench) => {
    const watcher = await bench.newWatcher();
    while (!isOver) {
      await watcher.poll();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  await work();
  isOver = true;
  await Promise.all(watching);
}

test(`${WATCHERS} watchers at once, ${ROUNDS} random rounds (seed ${SEED})`, {
  timeout: ROUNDS * 4000,
}, async () => {
  const benches = databases.map(createDepositBench);
  const [bench] = benches;
  if (!bench) throw new Error('no bench');
  const usdt = await anvil.deployToken('USDT', 6);
  const edge = await anvil.deployToken('EDGE', 18);
  await bench.configure([anvil.url], { requiredConfirmations: CONFIRMATIONS, reorgWindow: 40 });
  await bench.addToken('USDT', usdt, 6, { minDeposit: MINIMUM });
  await bench.addToken('EDGE', edge, 18, { minDeposit: MINIMUM });
  await bench.addToken('ETH', undefined, 18, { minDeposit: MINIMUM });
  const people: Person[] = [];
  for (let i = 0; i < 5; i++) people.push(await bench.addPerson());
  const receivers = [...people.map(({ address }) => address.toLowerCase() as Hex), STRANGER];
  const life: Life = {
    anvil,
    random: createRandom(SEED),
    tokens: [usdt, edge],
    receivers,
    depthMax: DEPTH_MAX,
  };

  /**
   * In some rounds the watchers read and credit everything before the next begins; in others they
   * fall behind.
   */
  async function letThemSee(): Promise<void> {
    const height = await anvil.height();
    const until = Date.now() + SEE_MS;
    while (Date.now() < until && ((await bench?.state())?.cursor_height ?? 0) < height)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async function checkBooks(): Promise<void> {
    await anvil.mine(DEPTH_MAX + CONFIRMATIONS);
    await bench?.settle();
    const height = await anvil.height();
    const truth = await readChainTruth(anvil, height - CONFIRMATIONS + 1, MINIMUM);
    for (const { userId, address } of people) {
      const key = address.toLowerCase();
      const expected = {
        ETH: truth.get(`${key}/coin`) ?? 0n,
        USDT: truth.get(`${key}/${usdt}`) ?? 0n,
        EDGE: truth.get(`${key}/${edge}`) ?? 0n,
      };
      const actual = {
        ETH: await bench?.balance(userId, 'ETH'),
        USDT: await bench?.balance(userId, 'USDT'),
        EDGE: await bench?.balance(userId, 'EDGE'),
      };
      expect(actual, `person ${userId} at height ${height}`).toEqual(expected);
    }
    expect((await bench?.state())?.halted_reason).toBeNull();
  }

  for (let round = 0; round < ROUNDS; round += CHECK_EVERY) {
    await whileWatching(benches, async () => {
      for (let i = round; i < Math.min(ROUNDS, round + CHECK_EVERY); i++) {
        await liveOneRound(life);
        if (life.random.chance(0.7)) await letThemSee();
      }
    });
    await checkBooks();
  }
  // One is certain, however far the watchers of a slow machine fall behind: what is credited is
  // replaced.
  const [from] = anvil.accounts;
  await anvil.send({ from: from ?? '0x', to: receivers[0] ?? '0x', value: MINIMUM * 1_000_000n });
  await anvil.mine(CONFIRMATIONS);
  await bench.settle();
  await anvil.rollback(CONFIRMATIONS + 1);
  await anvil.mine(CONFIRMATIONS + 2);
  await checkBooks();
  const { rows } = (await databases[0]?.query<{ status: string; count: number }>(
    'select status, count(*) as count from deposit group by status',
  )) ?? {
    rows: [],
  };
  const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  // A history without a reversal would prove nothing.
  expect(counts.credited).toBeGreaterThan(20);
  const { rows: reversals } = (await databases[0]?.query<{ count: number }>(
    "select count(*) as count from event where type = 'deposit.reversed'",
  )) ?? {
    rows: [],
  };
  expect(reversals[0]?.count).toBeGreaterThan(0);
});
