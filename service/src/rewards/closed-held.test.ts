/** What a settlement held that an operator closes is never paid, and never shown as held. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { createDying, Killed } from '../../test/support/dying-database.ts';
import { addOnline, insertDevice } from '../../test/support/network.ts';
import { createNetwork, type SettledNetwork } from '../../test/support/settled-network.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, migrate } from '../db/index.ts';
import { installLedger } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { BUCKET_LEAVES } from './buckets.ts';
import {
  closeSettlement,
  listHeld,
  listSettlements,
  type RewardPeriod,
  releaseHeld,
  settleDue,
  verifySettlements,
} from './index.ts';
import { LINE_COLUMNS } from './insert-lines.ts';
import { listLines } from './list-lines.ts';
import { settlePosted } from './post-settlement.ts';
import { CHUNK } from './reward-lines.ts';
import { findSettlement } from './settlements.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');
const at = (hour: number): Date => new Date(START.getTime() + hour * HOUR_MS);
/** When an hour is settled. */
const dueAt = (hour: number): Date => new Date(at(hour + 1).getTime() + 600_000);
/** What half an hour of the referee brings: 20 % and 10 % of 0.25 with a campaign of 12.5 %. */
const LEVELS = [56_250n * 10n ** 12n, 28_125n * 10n ** 12n] as const;
const HELD = String(LEVELS[0] + LEVELS[1]);
const REFUSED = ['refused', 'settlement_closed'];

describe.each(ENGINES)('what a closed settlement held, on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let network: SettledNetwork;
  /** A referee at the address of another user; referrers are `bottom`, then `middle`. */
  let referee: number;
  let deviceId: number;
  let middle: number;
  let bottom: number;

  beforeEach(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    network = await createNetwork(database, clock, START);
    [, middle, bottom] = network.users;
    referee = await insertUser(database, { referrerId: bottom });
    const address = network.devices[0]?.address ?? '';
    deviceId = (await insertDevice(database, referee, { address })).id;
  });
  afterEach(() => database.close());

  /** Each user is in a bucket of its own. */
  const deps = (period: RewardPeriod = 'hour', db = database) => ({
    ...{ database: db, clock, rewardCurrency: 'EDGE', grace_s: 600, period },
    ...{ usersPerBucket: 1, usersPerStep: 1 },
  });

  async function use(hour: number): Promise<void> {
    await network.use(at(hour));
    await addOnline(database, at(hour), [{ deviceId, online_ms: HOUR_MS / 2 }]);
  }

  /** The referee was online for twice as long. */
  async function comeLate(hour: number): Promise<void> {
    clock.advance(1000);
    await database.query(
      'update device_hour set online_ms = $3 where hour = $1 and device_id = $2',
      [...[at(hour), deviceId], HOUR_MS],
    );
    await database.query(
      'insert into late_uptime (hour, device_id, changed_at) values ($1, $2, $3)',
      [at(hour), deviceId, clock.now()],
    );
  }

  /** Dies at the n-th commit after a statement. */
  async function dieAt(commits: number, after: RegExp): Promise<void> {
    let hasBegun = false;
    const dying = createDying(database, commits, true, (text) => {
      hasBegun ||= after.test(text);
      return hasBegun && text === 'commit';
    });
    installLedger(dying.database, { clock, masterKey: testMasterKey });
    await expect(settleDue(deps('hour', dying.database))).rejects.toThrow(Killed);
  }

  async function idOf(kind: string, hour: Date | null = null): Promise<number> {
    const { rows } = await database.query<{ id: number }>(
      `select max(id) as id from reward_batch
        where kind = $1 and ($2::timestamptz is null or hour = $2)`,
      [kind, hour],
    );
    return rows[0]?.id ?? 0;
  }

  /** The levels for which a settlement has held lines. */
  async function heldLevels(id: number): Promise<number[]> {
    const { rows } = await database.query<{ level: number }>(
      "select level from reward_line where batch_id = $1 and status = 'held' order by level",
      [id],
    );
    return rows.map(({ level }) => level);
  }

  const close = (id: number): Promise<void> =>
    closeSettlement(database, clock, { id, by: 'test', reason: 'broken' });
  const release = (): Promise<number> => releaseHeld(database, clock, referee, 'test');

  /** What waits for an operator; undefined: no referee does. */
  async function heldAmount(): Promise<string | undefined> {
    return (await listHeld(database, 1, 20)).held[0]?.amount;
  }

  /** What a referrer sees of a settlement on account of the referee. */
  async function seenOf(userId: number, id: number): Promise<unknown[]> {
    const { lines } = await listLines(database, { userId }, { current: 1, size: 100 });
    return lines
      .filter((line) => line.settlementId === id && line.refereeId === referee)
      .map(({ status, reason }) => [status, reason]);
  }

  async function stateOf(id: number): Promise<{ state: string; refused: number } | undefined> {
    const page = { current: 1, size: 100, isUnfinished: false };
    return (await listSettlements(database, page)).settlements.find((one) => one.id === id);
  }

  /** Every line of a settlement that could be paid, now or later, is refused. */
  async function expectRefused(id: number): Promise<void> {
    const { rowCount } = await database.query(
      "select from reward_line where batch_id = $1 and status <> 'rejected'",
      [id],
    );
    expect(rowCount).toBeGreaterThan(0);
    expect(await stateOf(id)).toMatchObject({ state: 'settled', refused: rowCount });
  }

  /** What a release paid, in the order of the levels. */
  async function paidBy(id: number): Promise<string[]> {
    const { rows } = await database.query<{ amount: string }>(
      `select t.amount from reward_line l join transfer t
          on t.idempotency_key = 'reward:' || l.batch_id || ':' || l.leaf
        where l.batch_id = $1 order by l.level`,
      [id],
    );
    return rows.map(({ amount }) => String(amount));
  }

  /** Makes a change of a table fail. @returns undoes it */
  async function breakDown(change: string, condition: string): Promise<() => Promise<unknown>> {
    await database.query(
      `create function break_down() returns trigger language plpgsql as $$
        begin raise exception 'out of order'; end $$`,
    );
    await database.query(
      `create trigger broken before ${change} for each row
        when (${condition}) execute function break_down()`,
    );
    return () => database.query('drop function break_down() cascade');
  }

  /** The bucket of `bottom` as a referrer: those of devices come first. */
  async function bucketOfBottom(): Promise<number> {
    const { rows } = await database.query<{ bucket: number }>(
      'select count(*) + count(*) filter (where id < $1) as bucket from app_user',
      [bottom],
    );
    return rows[0]?.bucket ?? 0;
  }

  /** The hour is posted but for the lines of `bottom` as a referrer. @returns undoes it */
  async function postWithoutBottom(): Promise<() => Promise<unknown>> {
    await use(0);
    const chunk = ((await bucketOfBottom()) * BUCKET_LEAVES) / CHUNK;
    const repair = await breakDown('insert on reward_chunk', `new.chunk = ${chunk}`);
    await expect(settleDue(deps())).rejects.toThrow('out of order');
    expect(await heldAmount()).toBe(HELD);
    return repair;
  }

  test('of a correction that is half computed', async () => {
    await use(0);
    await settleDue(deps());
    const hour = await idOf('hour', at(0));
    expect(await heldAmount()).toBe(HELD);
    await comeLate(0);
    clock.set(dueAt(1));
    // The list of hours, the queue, its user, the referrers, and one of them.
    await dieAt(5, /select 'correction'/);
    const correction = await idOf('correction');
    expect(await heldLevels(correction)).toEqual([2]);
    expect(await heldAmount()).toBe(String(LEVELS[0] + 2n * LEVELS[1]));
    await close(correction);
    expect(await heldAmount()).toBe(HELD);
    const released = await release();
    await settleDue(deps());
    await settleDue(deps());
    await expectRefused(correction);
    expect(await paidBy(released)).toEqual(LEVELS.map(String));
    expect(await seenOf(middle, hour)).toEqual([['released', 'shared_address']]);
    expect(await seenOf(middle, correction)).toEqual([REFUSED]);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('of an hour that is half computed', async () => {
    await use(0);
    const bucket = await bucketOfBottom();
    const repair = await breakDown('update on reward_bucket', `new.bucket = ${bucket}`);
    await expect(settleDue(deps())).rejects.toThrow('out of order');
    const hour = await idOf('hour');
    expect(await heldLevels(hour)).toEqual([2]);
    expect(await heldAmount()).toBe(String(LEVELS[1]));
    await close(hour);
    await repair();
    expect(await heldAmount()).toBe('0');
    const released = await release();
    await settleDue(deps());
    await settleDue(deps());
    await expectRefused(hour);
    expect(await paidBy(released)).toEqual([]);
    expect(await seenOf(middle, hour)).toEqual([REFUSED]);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('of hours that wait for their day, but for what was released before', async () => {
    await use(0);
    await settleDue(deps('day'));
    const first = await idOf('hour', at(0));
    await close(first);
    expect(await heldAmount()).toBe('0');
    expect(await seenOf(middle, first)).toEqual([REFUSED]);
    const accrued = { userId: bottom, status: 'accrued' as const };
    expect((await listLines(database, accrued, { current: 1, size: 1 })).total).toBe(0);
    await use(1);
    await settleDue(deps('day'));
    expect(await heldAmount()).toBe(HELD);
    const released = await release();
    await settleDue(deps('day'));
    expect(await paidBy(released)).toEqual(LEVELS.map(String));
    const second = await idOf('hour', at(1));
    await close(second);
    const seen = async () => [await seenOf(middle, first), await seenOf(middle, second)];
    const expected = [[REFUSED], [['released', 'shared_address']]];
    expect(await seen()).toEqual(expected);
    clock.set(dueAt(23));
    await settleDue(deps('day'));
    expect(await seen()).toEqual(expected);
    await expectRefused(first);
    expect(await stateOf(second)).toMatchObject({ state: 'settled' });
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('no correction begins before a closed hour has ended', async () => {
    await use(0);
    await settleDue(deps('day'));
    await close(await idOf('hour', at(0)));
    await comeLate(0);
    clock.set(dueAt(23));
    await settleDue(deps('day'));
    expect(await idOf('correction')).toBe(0);
    await expectRefused(await idOf('hour', at(0)));
    clock.set(dueAt(47));
    await settleDue(deps('day'));
    expect(await idOf('correction')).toBeGreaterThan(0);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('of an hour that is posted in part, by instances that race', async () => {
    const repair = await postWithoutBottom();
    const hour = await idOf('hour', at(0));
    expect(await seenOf(middle, hour)).toEqual([['held', 'shared_address']]);
    await close(hour);
    await close(hour);
    expect(await heldAmount()).toBe('0');
    expect(await seenOf(middle, hour)).toEqual([REFUSED]);
    await repair();
    await Promise.all([1, 2, 3].map(() => settleDue(deps())));
    await settleDue(deps());
    expect(await stateOf(hour)).toMatchObject({ state: 'settled' });
    for (const user of [middle, bottom]) expect(await seenOf(user, hour)).toEqual([REFUSED]);
    expect(await heldAmount()).toBe('0');
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('of an hour that is closed while an instance posts it', async () => {
    const repair = await postWithoutBottom();
    const hour = await idOf('hour', at(0));
    const seen = await findSettlement(database, hour);
    if (!seen) throw new Error('no settlement');
    await close(hour);
    await repair();
    await settlePosted(deps(), seen);
    expect(await stateOf(hour)).toMatchObject({ state: 'posting', refused: 0 });
    await settleDue(deps());
    expect(await stateOf(hour)).toMatchObject({ state: 'settled', refused: 2 });
    for (const user of [middle, bottom]) expect(await seenOf(user, hour)).toEqual([REFUSED]);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('of one that was closed before this was refused', async () => {
    const repair = await postWithoutBottom();
    const hour = await idOf('hour', at(0));
    await close(hour);
    await repair();
    await settleDue(deps());
    await use(1);
    await settleDue(deps());
    expect(await heldAmount()).toBe(HELD);
    const refuse = async (): Promise<number> => {
      await database.query("delete from schema_migration where name like '0064_%'");
      expect(await migrate(database)).toEqual([expect.stringContaining('0064_')]);
      const { rowCount } = await database.query(
        `select from reward_refusal join reward_line using (batch_id, leaf)
          where status = 'held'`,
      );
      return rowCount;
    };
    /** As the version before left them. */
    const undo = (): Promise<unknown> =>
      database.query(
        `delete from reward_refusal r using reward_line l
          where l.batch_id = r.batch_id and l.leaf = r.leaf and l.status = 'held'`,
      );
    await undo();
    expect(await heldAmount()).toBe(String(2n * BigInt(HELD)));
    expect(await refuse()).toBe(2);
    expect(await refuse()).toBe(2);
    expect(await heldAmount()).toBe(HELD);
    await undo();
    // A correction that was made later has counted what one of them held.
    await database.query(
      `insert into reward_line (${LINE_COLUMNS})
        select $2, 1000, hour, user_id, device_id, rule_version, level, part, reward_type, status,
          node_id, referee_id, quantity, rate, amount, -amount, reason
        from reward_line where batch_id = $1 and status = 'held' and level = 1`,
      [hour, await idOf('hour', at(1))],
    );
    expect(await refuse()).toBe(1);
    expect(await heldAmount()).toBe(HELD);
    expect(await seenOf(middle, hour)).toEqual([REFUSED]);
  });
});
