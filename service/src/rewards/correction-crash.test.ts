/** A correction that is killed at a bucket continues from there, to the same result. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkEarningsIdentity } from '../../test/support/check-earnings.ts';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { createDying, Killed } from '../../test/support/dying-database.ts';
import { sized } from '../../test/support/scale.ts';
import { createNetwork, type SettledNetwork } from '../../test/support/settled-network.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import type { Database } from '../db/index.ts';
import { recordTraffic } from '../devices/index.ts';
import { installLedger } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { closeSettlement, settleDue, verifySettlements } from './index.ts';
import { payDays } from './pay-days.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');
/** So many hours of each day have late usage; the next one has none. */
const LATE_HOURS = 2;

describe.each(ENGINES)('correction that is killed, on %s', (engine) => {
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
    ...{ database: db, clock, rewardCurrency: 'EDGE', grace_s: 600 },
    ...{ period: 'hour' as const, usersPerBucket: 1 },
  });

  /** Two devices were online longer than they were paid for, and three sent more. */
  async function useLate(hour: Date): Promise<void> {
    const late = network.devices.slice(1, 3).map(({ id }) => id);
    await database.query(
      `update device_hour set online_ms = ${HOUR_MS} where hour = $1 and device_id = any($2)`,
      [hour, late],
    );
    await database.query(
      `insert into late_uptime (hour, device_id, changed_at) select $1, unnest($2::bigint[]), $3`,
      [hour, late, clock.now()],
    );
    await recordTraffic(
      database,
      { clock, window_s: 604_800 },
      'relay',
      network.devices.slice(0, 3).map(({ nodeId }) => ({
        ...{ reportId: `${hour.getTime()} ${nodeId} late`, nodeId },
        ...{ bytesUp: 700_000_001n, bytesDown: 0n },
        ...{ from: hour, to: new Date(hour.getTime() + HOUR_MS) },
      })),
    );
  }

  /** Hours that were settled without a part of their usage, and are to be corrected. */
  async function useNextHours(): Promise<Date[]> {
    const late: Date[] = [];
    for (let n = 0; n < LATE_HOURS; n++) {
      const hour = new Date(START.getTime() + hours++ * HOUR_MS);
      await network.use(hour);
      await settleDue(deps(database));
      late.push(hour);
    }
    clock.advance(1000);
    for (const hour of late) await useLate(hour);
    clock.set(new Date(START.getTime() + ++hours * HOUR_MS + 600_000));
    return late;
  }

  /** The corrections of hours and their transfers in the ledger. */
  async function outcomeOf(late: readonly Date[]): Promise<unknown> {
    const { rows } = await database.query(
      `select array_position($1::timestamptz[], l.hour) as hour, l.user_id, l.node_id,
          l.reward_type, l.level, l.part, l.status, l.quantity, l.rate, l.settled_before, l.amount,
          l.reason, l.leaf, b.state, b.step, b.posted = b.lines as done, b.lines, b.amount as net,
          (select count(*) from transfer t where t.idempotency_key = 'reward:' || l.batch_id || ':'
            || l.leaf and t.amount = abs(l.amount)) as transfers,
          (select count(*) from reward_late) as queued
        from reward_line l join reward_batch b on b.id = l.batch_id
        where b.kind = 'correction' and l.hour = any($1) order by l.batch_id, l.leaf`,
      [late],
    );
    return rows;
  }

  /** Counts statements from the beginning of a correction on. */
  function duringCorrection(isCounted: (text: string) => boolean): (text: string) => boolean {
    let hasBegun = false;
    return (text) => {
      hasBegun ||= /select 'correction'/.test(text);
      return hasBegun && isCounted(text);
    };
  }

  /** @returns how many statements counted, up to `at` */
  async function settleAndDie(
    at: number,
    isAfter: boolean,
    isCounted: (text: string) => boolean,
  ): Promise<number> {
    const dying = createDying(database, at, isAfter, duringCorrection(isCounted));
    installLedger(dying.database, { clock, masterKey: testMasterKey });
    await settleDue(deps(dying.database)).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    return dying.count();
  }

  async function killAtEach(stride: number, isCounted: (text: string) => boolean): Promise<number> {
    let at = 1;
    for (let isOver = false; !isOver; at += stride) {
      for (const isAfter of [false, true]) {
        const late = await useNextHours();
        if ((await settleAndDie(at, isAfter, isCounted)) < at) isOver = true;
        await settleDue(deps(database));
        expect(
          await outcomeOf(late),
          `killed ${isAfter ? 'after' : 'before'} statement ${at}`,
        ).toEqual(expected);
      }
    }
    return at;
  }

  async function idOfOpen(): Promise<number> {
    const { rows } = await database.query<{ id: number }>(
      "select id from reward_batch where kind = 'correction' and state = 'open'",
    );
    return rows[0]?.id ?? 0;
  }

  test('corrects devices, then their referrers, hour by hour', async () => {
    const late = await useNextHours();
    await settleDue(deps(database));
    expected = await outcomeOf(late);
    const lines = expected as { hour: number; level: number; leaf: number; queued: number }[];
    expect(lines.map(({ leaf }) => leaf)).toEqual(lines.map((_, n) => n));
    const order = lines.map(({ hour, level }) => `${hour} ${level > 0 ? 'referral' : 'device'}`);
    expect(order).toEqual([...order].sort());
    expect(new Set(order).size).toBe(2 * LATE_HOURS);
    expect(lines).toEqual(
      lines.map((line) => ({ ...line, state: 'settled', step: null, done: true, queued: 0 })),
    );
  });

  test('continues to the same result after a kill at the commit of each bucket', {
    timeout: 180_000,
  }, async () => {
    const stride = sized({ quick: 4, full: 1, soak: 1 });
    // Of each hour: its queue, three users, the referrers, two of them, and what is after.
    expect(await killAtEach(stride, (text) => text === 'commit')).toBeGreaterThan(16);
  });

  test('continues to the same result after a kill at any statement', {
    timeout: 180_000,
  }, async () => {
    const stride =
      engine === 'embedded'
        ? sized({ quick: 89, full: 7, soak: 1 })
        : sized({ quick: 47, full: 3, soak: 1 });
    expect(await killAtEach(stride, () => true)).toBeGreaterThan(60);
  });

  test('instances that race correct each hour once', async () => {
    for (let n = 0; n < 4; n++) {
      const late = await useNextHours();
      await Promise.all([1, 2, 3].map(() => settleDue(deps(database))));
      await settleDue(deps(database));
      expect(await outcomeOf(late)).toEqual(expected);
    }
  });

  test('an instance of the version before cannot end one that is half computed', async () => {
    const late = await useNextHours();
    await settleAndDie(4, true, (text) => text === 'commit');
    await expect(
      database.query(
        `update reward_batch set state = 'posting', lines = 0
          where kind = 'correction' and state = 'open'`,
      ),
    ).rejects.toThrow('reward_batch_step_check');
    await settleDue(deps(database));
    expect(await outcomeOf(late)).toEqual(expected);
  });

  test('one that an operator closes pays nothing of the buckets that it has', async () => {
    const late = await useNextHours();
    await settleAndDie(4, true, (text) => text === 'commit');
    const { rows } = await database.query<{ id: number; lines: number }>(
      "select id, lines from reward_batch where kind = 'correction' and state = 'open'",
    );
    const [half] = rows;
    expect(half?.lines).toBeGreaterThan(0);
    await closeSettlement(database, clock, { id: half?.id ?? 0, by: 'test', reason: 'broken' });
    await settleDue(deps(database));
    const lines = (await outcomeOf(late)) as object[];
    expect(lines).toHaveLength(half?.lines ?? 0);
    for (const line of lines)
      expect(line).toMatchObject({ state: 'settled', net: '0', transfers: 0, queued: 0 });
  });

  test('one whose late hours cannot be read is closed', async () => {
    await useNextHours();
    await settleAndDie(4, true, (text) => text === 'commit');
    const id = await idOfOpen();
    const readsUsage = (text: string) => text.includes('late_uptime');
    const settle = async () => {
      const dying = createDying(database, 1, false, readsUsage);
      await settleDue(deps(dying.database)).catch(() => {});
      return dying.count();
    };
    expect(await settle()).toBe(1);
    await closeSettlement(database, clock, { id, by: 'test', reason: 'broken' });
    expect(await settle()).toBe(0);
    expect(await idOfOpen()).toBe(0);
  });

  test('hours that wait are paid with the correction that an instance computes', async () => {
    const hour = new Date(START.getTime() + hours++ * HOUR_MS);
    await network.use(hour);
    clock.set(new Date(hour.getTime() + HOUR_MS + 600_000));
    await settleDue({ ...deps(database), period: 'day' });
    await useLate(hour);
    clock.set(new Date(START.getTime() + ++hours * HOUR_MS + 600_000));
    await settleAndDie(4, true, (text) => text === 'commit');
    const id = await idOfOpen();
    expect(id).toBeGreaterThan(0);
    const pay = async (): Promise<unknown> => {
      await payDays(deps(database));
      const { rows } = await database.query(
        "select state from reward_batch where kind = 'hour' and hour = $1",
        [hour],
      );
      return rows[0];
    };
    // A process that dies records no reason.
    await database.query('update reward_batch set failure = null where id = $1', [id]);
    expect(await pay()).toEqual({ state: 'computed' });
    // One that fails holds up no payment.
    await database.query("update reward_batch set failure = 'broken' where id = $1", [id]);
    expect(await pay()).toEqual({ state: 'settled' });
    await settleDue(deps(database));
    expect(await idOfOpen()).toBe(0);
  });

  test('an hour that is moved to the archive meanwhile is not corrected any more', async () => {
    const late = await useNextHours();
    await settleAndDie(4, true, (text) => text === 'commit');
    const half = await outcomeOf(late);
    const move = (now: Date | null) =>
      database.query(
        `update reward_batch set archived_at = $2, moved_at = $2 where kind = 'hour' and hour = $1`,
        [late[0], now],
      );
    await move(clock.now());
    await settleDue(deps(database));
    await move(null);
    const lines = (await outcomeOf(late)) as { hour: number }[];
    const [first, second] = [1, 2].map((n) => lines.filter(({ hour }) => hour === n));
    expect(first).toHaveLength((half as object[]).length);
    const whole = (expected as { hour: number }[]).filter(({ hour }) => hour === 2);
    expect(second).toHaveLength(whole.length);
    expect(lines).toEqual(lines.map((line) => ({ ...line, state: 'settled', queued: 0 })));
  });

  test('afterwards every total is the sum of its bills', async () => {
    for (const userId of network.users) await checkEarningsIdentity(database, userId);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });
});
