import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { addOnline, insertDevice, type TestDevice } from '../../test/support/network.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, transaction } from '../db/index.ts';
import { recordTraffic } from '../devices/index.ts';
import { installLedger } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import {
  activateRules,
  closeSettlement,
  draftRules,
  type RulesBody,
  settleDue,
  verifySettlements,
} from './index.ts';
import { readSchedule } from './read-schedule.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');
const DUE = new Date(START.getTime() + HOUR_MS + 600_000);

/** Undoes a change. */
class Undone extends Error {}

describe.each(RUN_ENGINES)('buckets of a settlement on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let users: number[];
  let devices: TestDevice[];

  beforeEach(async () => {
    clock.set(new Date(START.getTime() - 1));
    database = await openTestDatabase(engine, { isOwner: true });
    installLedger(database, { clock, masterKey: testMasterKey });
    users = [];
    for (let n = 0; n < 3; n++)
      users.push(await insertUser(database, n === 0 ? {} : { referrerId: users[n - 1] ?? 0 }));
    devices = [];
    for (const userId of users)
      devices.push(await insertDevice(database, userId, { address: '10.0.0.1' }));
  });
  afterEach(() => database.close());

  /** Each user is in a bucket of its own. */
  const deps = () => ({
    ...{ database, clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' as const },
    usersPerBucket: 1,
  });
  const settle = (): Promise<void> => settleDue(deps());

  async function activate(rules: RulesBody): Promise<void> {
    const { version } = await draftRules(database, deps(), rules, 'test');
    await activateRules(database, deps(), { version, from: START, by: 'test' });
  }
  const REFERRAL = [{ percent: '10', uptime_hours: 0, distinct_addresses: 0 }];

  const beOnline = (...of: number[]): Promise<void> =>
    addOnline(
      database,
      START,
      of.map((n) => ({ deviceId: devices[n]?.id ?? 0, online_ms: HOUR_MS })),
    );

  /** A bucket cannot be computed until this is undone. @returns undoes it */
  async function failBucket(bucket: number): Promise<() => Promise<void>> {
    await database.query(
      `create function break_down() returns trigger language plpgsql as $$
        begin raise exception 'out of order'; end $$`,
    );
    await database.query(
      `create trigger broken before update on reward_bucket for each row
        when (new.bucket = ${bucket}) execute function break_down()`,
    );
    return async () => {
      await database.query('drop function break_down() cascade');
    };
  }

  async function bucketsOf(): Promise<(number | null)[]> {
    const { rows } = await database.query<{ lines: number | null }>(
      'select lines from reward_bucket order by batch_id, bucket',
    );
    return rows.map(({ lines }) => lines);
  }
  async function hourOf(): Promise<Record<string, unknown>> {
    const { rows } = await database.query(
      "select state, step, lines from reward_batch where kind = 'hour' order by id limit 1",
    );
    return rows[0] ?? {};
  }
  async function linesOf(kind: string): Promise<Record<string, unknown>[]> {
    const { rows } = await database.query(
      `select l.user_id, l.reward_type, l.status, l.reason, l.amount from reward_line l
        join reward_batch b on b.id = l.batch_id where b.kind = $1 and l.hour = $2
        order by l.batch_id, l.leaf`,
      [kind, START],
    );
    return rows;
  }

  test('a deleted device keeps what it earned, and is not looked up for ever', async () => {
    await activate({ uptime: { amount: '1' }, limits: { devices_per_address: 10 } });
    await beOnline(0, 1, 2);
    const days = [-1 / 48, 90, 92];
    for (const [n, count] of days.entries())
      await database.query(
        `update device set cut = 'deleted', cut_reason = 'owner', cut_at = $2 where id = $1`,
        [devices[n]?.id, new Date(START.getTime() - count * 24 * HOUR_MS)],
      );
    clock.set(DUE);
    await settle();
    // None of the last two could have been online: the row shows whether it was read.
    expect((await linesOf('hour')).map(({ user_id, status }) => [user_id, status])).toEqual([
      [users[0], 'paid'],
      [users[1], 'paid'],
    ]);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('those that are computed stay, and the hour continues with the others', async () => {
    await activate({ uptime: { amount: '1' }, referral: REFERRAL });
    await beOnline(0, 1, 2);
    clock.set(DUE);
    const repair = await failBucket(2);
    await expect(settle()).rejects.toThrow('out of order');
    expect(await bucketsOf()).toEqual([1, 1, null, null, null, null]);
    expect(await hourOf()).toEqual({ state: 'open', step: 'devices', lines: 0 });
    const settledUntil = async () =>
      (await readSchedule(database, clock.now(), { grace_s: 600, period: 'hour' })).settledUntil;
    expect(await settledUntil()).toBeUndefined();
    await repair();
    await settle();
    expect(await settledUntil()).toEqual(new Date(START.getTime() + HOUR_MS));
    expect(await bucketsOf()).toEqual([1, 1, 1, 1, 1, 0]);
    expect(await hourOf()).toEqual({ state: 'settled', step: null, lines: 5 });
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  // The embedded database has one connection: no other instance computes beside it.
  if (engine === 'server')
    test('an instance leaves the bucket that another one computes', async () => {
      await activate({ uptime: { amount: '1' }, referral: REFERRAL });
      await beOnline(0, 1, 2);
      clock.set(DUE);
      const repair = await failBucket(1);
      await expect(settle()).rejects.toThrow('out of order');
      await repair();
      await transaction(database, async (tx) => {
        await tx.query('select from reward_bucket where bucket = 1 for update');
        await settle();
        expect(await bucketsOf()).toEqual([1, null, 1, null, null, null]);
      });
      await settle();
      expect(await hourOf()).toMatchObject({ state: 'settled', lines: 5 });
    });

  test('a device that comes online after its address was evaluated is corrected', async () => {
    await activate({ uptime: { amount: '1' }, limits: { devices_per_address: 1 } });
    await beOnline(0);
    clock.set(DUE);
    const repair = await failBucket(1);
    await expect(settle()).rejects.toThrow('out of order');
    await beOnline(1);
    await database.query(
      'insert into late_uptime (hour, device_id, changed_at) values ($1, $2, $3)',
      [START, devices[1]?.id, clock.now()],
    );
    await repair();
    await settle();
    expect(await linesOf('hour')).toMatchObject([{ user_id: users[0], status: 'paid' }]);
    clock.advance(HOUR_MS);
    await settle();
    expect(await linesOf('correction')).toMatchObject([
      { user_id: users[1], status: 'rejected', reason: 'limit_devices_per_address' },
    ]);
    expect((await database.query('select from reward_limited')).rowCount).toBe(0);
  });

  test('what came while the hour was open is corrected, however late it ends', async () => {
    await activate({ uptime: { amount: '1' }, traffic: [{ category: '*', amount: '1' }] });
    await beOnline(0, 1);
    clock.set(DUE);
    const repair = await failBucket(1);
    await expect(settle()).rejects.toThrow('out of order');
    // Its bucket is computed, and corrections run before the hour is.
    await recordTraffic(database, { clock, window_s: 604_800 }, 'relay', [
      {
        reportId: 'late',
        nodeId: devices[0]?.nodeId ?? '',
        bytesUp: 1_000_000_000n,
        bytesDown: 0n,
        from: START,
        to: new Date(START.getTime() + HOUR_MS),
      },
    ]);
    for (let n = 0; n < 3; n++) {
      clock.advance(HOUR_MS);
      await expect(settle()).rejects.toThrow('out of order');
    }
    await repair();
    clock.advance(HOUR_MS);
    await settle();
    expect((await linesOf('hour')).map((line) => line.reward_type)).toEqual(['UPTIME', 'UPTIME']);
    expect(await linesOf('correction')).toEqual([
      {
        ...{ user_id: users[0], reward_type: 'TRAFFIC', status: 'paid', reason: null },
        amount: String(10n ** 18n),
      },
    ]);
    clock.advance(2 * HOUR_MS);
    await settle();
    expect(await linesOf('correction')).toHaveLength(1);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('an hour that an operator closes pays nothing of the buckets that it has', async () => {
    await activate({ uptime: { amount: '1' }, referral: REFERRAL });
    await beOnline(0, 1, 2);
    clock.set(DUE);
    const repair = await failBucket(2);
    await expect(settle()).rejects.toThrow('out of order');
    await closeSettlement(database, clock, { id: 1, by: 'test', reason: 'broken' });
    await repair();
    await settle();
    expect(await bucketsOf()).toEqual([1, 1, 0, 0, 0, 0]);
    expect(await hourOf()).toMatchObject({ state: 'settled', lines: 2 });
    const { rows } = await database.query('select code from reward_refusal');
    expect(rows).toEqual([{ code: 'settlement_closed' }, { code: 'settlement_closed' }]);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('an instance of the version before can neither compute nor end it', async () => {
    await activate({ uptime: { amount: '1' } });
    await beOnline(0, 1, 2);
    clock.set(DUE);
    const repair = await failBucket(1);
    await expect(settle()).rejects.toThrow('out of order');
    await repair();
    await expect(
      database.query("update reward_batch set state = 'posting', lines = 3 where id = 1"),
    ).rejects.toThrow('reward_batch_step_check');
    await database.query(
      `create function stop() returns trigger language plpgsql as $$
        begin raise exception 'stopped'; end $$`,
    );
    await database.query(
      'create trigger stop before insert on reward_chunk for each row execute function stop()',
    );
    await expect(settle()).rejects.toThrow('stopped');
    expect(await hourOf()).toEqual({ state: 'posting', step: 'bills', lines: 3 });
    await expect(
      database.query("update reward_batch set state = 'settled', settled_at = $1 where id = 1", [
        clock.now(),
      ]),
    ).rejects.toThrow('reward_batch_step_check');
  });

  test('the roots and the sizes of buckets are verified', async () => {
    await activate({ uptime: { amount: '1' } });
    await beOnline(0, 1, 2);
    clock.set(DUE);
    await settle();
    const problemsAfter = async (change: string): Promise<string[]> => {
      const { promise, resolve } = Promise.withResolvers<readonly string[]>();
      await transaction(database, async (tx) => {
        await tx.query(change);
        resolve((await verifySettlements(tx)).problems);
        throw new Undone();
      }).catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
      return [...(await promise)];
    };
    expect(await problemsAfter("update reward_bucket set root = '' where bucket = 1")).toEqual([
      'bucket 1 of settlement 1 has another root than it had',
    ]);
    expect(await problemsAfter('update reward_bucket set lines = 0 where bucket = 2')).toEqual(
      expect.arrayContaining(['settlement 1 has another root than its lines']),
    );
    expect(await problemsAfter('delete from reward_bucket where bucket = 2')).not.toEqual([]);
    expect(await problemsAfter('select')).toEqual([]);
  });
});
