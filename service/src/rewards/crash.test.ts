import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkEarningsIdentity } from '../../test/support/check-earnings.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { createDying, Killed } from '../../test/support/dying-database.ts';
import { sized } from '../../test/support/scale.ts';
import { createNetwork, type SettledNetwork } from '../../test/support/settled-network.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import type { Database } from '../db/index.ts';
import { installLedger } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { settleDue } from './index.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');

describe.each(ENGINES)('settlement that is killed, on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let network: SettledNetwork;
  let hours = 0;
  let expected: unknown;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    network = await createNetwork(database, clock, START);
  });
  afterAll(() => database.close());

  /** Each user is in a bucket of its own. */
  const deps = (db: Database) => ({
    database: db,
    clock,
    rewardCurrency: 'EDGE',
    grace_s: 600,
    period: 'hour' as const,
    usersPerBucket: 1,
  });

  async function useNextHour(): Promise<Date> {
    const hour = new Date(START.getTime() + hours++ * HOUR_MS);
    await network.use(hour);
    return hour;
  }

  /** The lines of an hour and their transfers in the ledger. */
  async function outcomeOf(hour: Date): Promise<unknown> {
    const { rows } = await database.query(
      `select l.user_id, l.node_id, l.reward_type, l.level, l.part, l.status, l.quantity, l.rate,
        l.settled_before, l.amount, l.reason, b.state, b.posted = b.lines as done,
          (select count(*) from transfer t where t.idempotency_key = 'reward:' || l.batch_id || ':'
            || l.leaf and t.amount = abs(l.amount)) as transfers
        from reward_line l join reward_batch b on b.id = l.batch_id where l.hour = $1
          order by l.leaf`,
      [hour],
    );
    return rows;
  }

  test('pays every kind of reward', async () => {
    const hour = await useNextHour();
    await settleDue(deps(database));
    expected = await outcomeOf(hour);
    const kinds = (expected as { reward_type: string; status: string }[]).map(
      ({ reward_type, status }) => `${reward_type} ${status}`,
    );
    expect([...new Set(kinds)].sort()).toEqual([
      'BONUS paid',
      'PENALTY paid',
      'REFERRAL paid',
      'TRAFFIC paid',
      'UPTIME paid',
      'UPTIME rejected',
    ]);
  });

  /**
   * Kills a process at each `stride`-th of the statements that count.
   * @returns how many there are
   */
  async function killAtEach(stride: number, isCounted: (text: string) => boolean): Promise<number> {
    let at = 1;
    for (let isOver = false; !isOver; at += stride) {
      for (const isAfter of [false, true]) {
        const hour = await useNextHour();
        const dying = createDying(database, at, isAfter, isCounted);
        installLedger(dying.database, { clock, masterKey: testMasterKey });
        await settleDue(deps(dying.database)).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        if (dying.count() < at) isOver = true;
        await settleDue(deps(database));
        expect(
          await outcomeOf(hour),
          `killed ${isAfter ? 'after' : 'before'} statement ${at}`,
        ).toEqual(expected);
      }
    }
    return at;
  }

  test('continues to the same result after a kill at any statement', {
    timeout: 180_000,
  }, async () => {
    // Both engines see the same statements; the slower one tries fewer of them.
    const stride =
      engine === 'embedded'
        ? sized({ quick: 61, full: 3, soak: 1 })
        : sized({ quick: 37, full: 1, soak: 1 });
    // Many statements were reached; the loop did not end for another reason.
    expect(await killAtEach(stride, () => true)).toBeGreaterThan(25);
  });

  test('continues to the same result after a kill at the commit of each bucket', {
    timeout: 180_000,
  }, async () => {
    // The plan, three users as owners of devices and as referrers, what is between and after.
    const stride = sized({ quick: 3, full: 1, soak: 1 });
    expect(await killAtEach(stride, (text) => text === 'commit')).toBeGreaterThan(9);
  });

  test('instances that race settle each hour once', async () => {
    for (let n = 0; n < 5; n++) {
      const hour = await useNextHour();
      await Promise.all([1, 2, 3].map(() => settleDue(deps(database))));
      await settleDue(deps(database));
      expect(await outcomeOf(hour)).toEqual(expected);
    }
    const { rows } = await database.query<{ n: number }>(
      "select count(*)::int as n from reward_batch where kind = 'hour' and state = 'settled'",
    );
    expect(rows[0]?.n).toBe(hours);
    const { rows: roots } = await database.query<{ n: number }>(
      "select count(*)::int as n from transfer where idempotency_key like 'reward-root:%'",
    );
    expect(roots[0]?.n).toBe(hours);
  });

  test('afterwards every total is the sum of its bills', async () => {
    for (const userId of network.users) await checkEarningsIdentity(database, userId);
  });
});
