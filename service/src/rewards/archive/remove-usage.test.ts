/** Which usage is removed, and what is measured of what waits. */
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import { addOnline, insertDevice } from '../../../test/support/network.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import type { Database } from '../../db/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { measureWaiting } from './measure-waiting.ts';
import { removeArchived } from './remove-archived.ts';

const DAY_S = 86_400;
const TIMES = { keptDays: 40, window_s: 7 * DAY_S };
/** Days after which usage is removed: two more than reports about it are accepted. */
const USAGE_DAYS = 40 + 7 + 2;
const AGES = [USAGE_DAYS + 200, USAGE_DAYS + 10, USAGE_DAYS + 1, USAGE_DAYS - 1, 1];

describe.each(RUN_ENGINES)('removal of usage on %s', (engine) => {
  const clock = createManualClock('2026-11-24T00:00:00Z');
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase(engine);
    const { id: deviceId } = await insertDevice(database, await insertUser(database));
    for (const age of AGES)
      await addOnline(database, daysAgo(age), [{ deviceId, online_ms: 1000 }]);
  });
  afterEach(() => database.close());

  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_S * 1000);

  /** Days since each hour of usage that is left. */
  async function remove(): Promise<number[]> {
    await removeArchived({ database, clock, ...TIMES, keys: [], directory: tmpdir() });
    const { rows } = await database.query<{ hour: Date }>(
      'select hour from device_hour order by hour',
    );
    return rows.map(({ hour }) => (clock.now().getTime() - hour.getTime()) / DAY_S / 1000);
  }

  async function activateRules(hour: Date): Promise<void> {
    const by = "'test', $1::timestamptz";
    await database.query(
      `with rules as (
        insert into reward_rules (body, body_hash, created_by, created_at)
        values ('{}', '', ${by}) returning version
      )
      insert into reward_activation (hour, version, activated_by, activated_at)
      select $1, version, ${by} from rules`,
      [hour],
    );
  }

  async function addSettlement(
    kind: 'hour' | 'correction',
    hour: Date,
    { lines = 1, isSettled = true } = {},
  ): Promise<number> {
    const { rows } = await database.query<{ id: number }>(
      `insert into reward_batch (kind, hour, rule_version, state, lines, until, salt_key,
          created_at, settled_at)
        values ($1, $2::timestamptz, 1, $3, $4, case $1 when 'correction' then $2::timestamptz end,
          '', $2, case $3 when 'settled' then $2::timestamptz end) returning id`,
      [kind, hour, isSettled ? 'settled' : 'open', lines],
    );
    return rows[0]?.id ?? 0;
  }

  test('without rules no usage will ever be settled: it goes with its time', async () => {
    expect(await remove()).toEqual([USAGE_DAYS - 1, 1]);
  });

  test('with rules and no settlement yet, usage since they apply stays', async () => {
    await activateRules(daysAgo(45));
    await activateRules(daysAgo(42));
    // A report may have been accepted until 9 days after its hour.
    expect(await remove()).toEqual([USAGE_DAYS + 1, USAGE_DAYS - 1, 1]);
  });

  test('with settlements, usage stays that lines stand for, and what is not settled', async () => {
    await activateRules(daysAgo(400));
    const hour = await addSettlement('hour', daysAgo(50));
    expect(await remove()).toEqual(AGES.slice(1));
    await database.query(
      'update reward_batch set archived_at = $2, moved_at = $2, removed_at = $2 where id = $1',
      [hour, clock.now()],
    );
    // The hours after the last settlement are settled one day.
    expect(await remove()).toEqual(AGES.slice(2));
    await addSettlement('hour', daysAgo(2), { lines: 0 });
    expect(await remove()).toEqual(AGES.slice(3));
  });

  test('measures for how long each table has waited', async () => {
    const measure = () => measureWaiting(database, clock, TIMES);
    const usage = { traffic_hour: 0, traffic_report: 0 };
    expect(await measure()).toEqual({
      ...{ reward_line: 0, device_hour: 200 * DAY_S, ...usage },
    });
    await remove();
    expect(await measure()).toEqual({ reward_line: 0, device_hour: 0, ...usage });
    await addSettlement('hour', daysAgo(40));
    expect(await measure()).toMatchObject({ reward_line: 0 });
    // Settled, and not archived: as one whose leaves are of format 2.
    const old = await addSettlement('hour', daysAgo(43));
    expect(await measure()).toMatchObject({ reward_line: 3 * DAY_S });
    const open = await addSettlement('correction', daysAgo(44), { isSettled: false, lines: 0 });
    expect(await measure()).toMatchObject({ reward_line: 4 * DAY_S });
    await database.query(
      `update reward_batch set state = 'settled', settled_at = $2, archived_at = $2,
        moved_at = $2, removed_at = $2 where id = any($1)`,
      [[old, open], clock.now()],
    );
    expect(await measure()).toMatchObject({ reward_line: 0 });
  });
});
