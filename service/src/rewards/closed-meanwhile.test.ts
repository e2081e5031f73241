/** A correction that runs while an operator closes an hour compares with what is paid of it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkEarningsIdentity } from '../../test/support/check-earnings.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { createDying } from '../../test/support/dying-database.ts';
import { createNetwork, type SettledNetwork } from '../../test/support/settled-network.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import type { Database } from '../db/index.ts';
import { installLedger } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { closeSettlement, type RewardPeriod, settleDue, verifySettlements } from './index.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');
/** When an hour is settled. */
const dueAt = (hour: number): Date => new Date(START.getTime() + (hour + 1) * HOUR_MS + 600_000);

interface CorrectedLine {
  readonly leaf: number;
  readonly settled_before: string;
  readonly is_paid: boolean;
}

describe.each(ENGINES)('a correction beside an hour that is closed, on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let network: SettledNetwork;

  beforeEach(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    network = await createNetwork(database, clock, START);
  });
  afterEach(() => database.close());

  /** Each user is in a bucket of its own. */
  const deps = (period: RewardPeriod, db = database) => ({
    ...{ database: db, clock, rewardCurrency: 'EDGE', grace_s: 600, period },
    ...{ usersPerBucket: 1, usersPerStep: 1 },
  });

  /** All devices were online for longer than the lines of the first hour say. */
  async function comeLate(): Promise<void> {
    clock.advance(1000);
    const ids = network.devices.map(({ id }) => id);
    await database.query('update device_hour set online_ms = $2 where hour = $1', [START, HOUR_MS]);
    await database.query(
      'insert into late_uptime (hour, device_id, changed_at) select $1, unnest($2::bigint[]), $3',
      [START, ids, clock.now()],
    );
  }

  /** Dies after the first bucket of a correction: the list of hours and the queue are before it. */
  async function dieInCorrection(period: RewardPeriod): Promise<void> {
    let hasBegun = false;
    const dying = createDying(database, 3, true, (text) => {
      hasBegun ||= /select 'correction'/.test(text);
      return hasBegun && text === 'commit';
    });
    installLedger(dying.database, { clock, masterKey: testMasterKey });
    await expect(settleDue(deps(period, dying.database))).rejects.toThrow();
    expect(dying.count()).toBeGreaterThanOrEqual(3);
  }

  async function closeFirstHour(): Promise<void> {
    const { rows } = await database.query<{ id: number }>(
      "select id from reward_batch where kind = 'hour' and hour = $1",
      [START],
    );
    await closeSettlement(database, clock, { id: rows[0]?.id ?? 0, by: 'test', reason: 'broken' });
  }

  async function corrected(): Promise<CorrectedLine[]> {
    const { rows } = await database.query<CorrectedLine>(
      `select l.leaf, l.settled_before::text, l.status = 'paid' as is_paid
        from reward_line l join reward_batch b on b.id = l.batch_id
        where b.kind = 'correction' order by l.leaf`,
    );
    return rows;
  }

  async function states(): Promise<Record<string, string>> {
    const { rows } = await database.query<{ kind: string; state: string }>(
      `select kind, state from reward_batch
        where kind = 'hour' and hour = $1 or kind = 'correction' and (lines > 0 or state = 'open')`,
      [START],
    );
    return Object.fromEntries(rows.map(({ kind, state }) => [kind, state]));
  }

  /** Nothing of the hour was paid: what came after it was closed is paid as a whole. */
  async function expectPaidWhole(half: readonly CorrectedLine[]): Promise<void> {
    const lines = await corrected();
    expect(lines.slice(0, half.length)).toEqual(half);
    const later = lines.slice(half.length).filter((line) => line.is_paid);
    expect(later.length).toBeGreaterThan(half.length);
    expect(later.filter((line) => line.settled_before !== '0')).toEqual([]);
    expect((await verifySettlements(database)).problems).toEqual([]);
    for (const userId of network.users) await checkEarningsIdentity(database, userId);
  }

  test('waits until all of its lines are refused', async () => {
    await network.use(START);
    await database.query(
      `create function break_down() returns trigger language plpgsql as $$
        begin raise exception 'out of order'; end $$;
      create trigger broken before insert on reward_chunk for each row
        execute function break_down()`,
    );
    await expect(settleDue(deps('hour'))).rejects.toThrow('out of order');
    await comeLate();
    clock.set(dueAt(1));
    await dieInCorrection('hour');
    const half = await corrected();
    expect(half.length).toBeGreaterThan(0);
    await closeFirstHour();
    await expect(settleDue(deps('hour'))).rejects.toThrow('out of order');
    expect(await corrected()).toEqual(half);
    expect(await states()).toEqual({ hour: 'posting', correction: 'open' });
    await database.query('drop function break_down() cascade');
    await settleDue(deps('hour'));
    await settleDue(deps('hour'));
    expect(await states()).toEqual({ hour: 'settled', correction: 'settled' });
    await expectPaidWhole(half);
  });

  test('holds up no payment of a day, with which a closed hour ends', async () => {
    await network.use(START);
    await settleDue(deps('day'));
    await comeLate();
    clock.set(dueAt(23));
    await dieInCorrection('day');
    const half = await corrected();
    expect(half.length).toBeGreaterThan(0);
    await closeFirstHour();
    await settleDue(deps('day'));
    expect(await states()).toEqual({ hour: 'settled', correction: 'open' });
    expect(await corrected()).toEqual(half);
    await settleDue(deps('day'));
    expect(await states()).toEqual({ hour: 'settled', correction: 'computed' });
    clock.set(dueAt(47));
    await settleDue(deps('day'));
    expect(await states()).toEqual({ hour: 'settled', correction: 'settled' });
    await expectPaidWhole(half);
  });
});
