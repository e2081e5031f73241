/** Time online that came late is kept for settlements that may pay it, and for none other. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { insertDevice } from '../../test/support/network.ts';
import { TEST_RULES } from '../../test/support/settled-network.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { type Database, deleteDueRows } from '../db/index.ts';
import { installLedger } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { activateRules, draftRules, REWARDS_RETENTION, settleDue } from './index.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = new Date('2026-05-01T00:00:00Z');
/** From here on rules apply, for the first time. */
const FIRST = new Date(START.getTime() + 300 * DAY_MS);
const GRACE_MS = 600_000;

describe.each(ENGINES)('late time online on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let deviceId: number;

  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    installLedger(database, { clock, masterKey: testMasterKey });
    deviceId = (await insertDevice(database, await insertUser(database))).id;
    const deps = { clock, rewardCurrency: 'EDGE' };
    const { version } = await draftRules(database, deps, TEST_RULES, 'test');
    await activateRules(database, deps, { version, from: FIRST, by: 'test' });
  });
  afterAll(() => database.close());

  async function comeLate(hour: Date): Promise<void> {
    await database.query(
      'insert into late_uptime (hour, device_id, changed_at) values ($1, $2, $3)',
      [hour, deviceId, clock.now()],
    );
  }

  const clean = (): Promise<number> => deleteDueRows(database, clock, REWARDS_RETENTION);

  test('of hours before the first rules goes after a day, while these are to come', async () => {
    for (let day = 0; day < 3; day++) {
      await comeLate(new Date(clock.now().getTime() - HOUR_MS));
      clock.advance(DAY_MS);
      expect(await clean()).toBe(day === 0 ? 0 : 1);
    }
    clock.advance(1000);
    expect(await clean()).toBe(1);
  });

  test('of the first hour of the rules stays until a correction has read it', async () => {
    clock.set(FIRST);
    await comeLate(new Date(FIRST.getTime() - HOUR_MS));
    clock.set(new Date(FIRST.getTime() + HOUR_MS / 2));
    await comeLate(FIRST);
    clock.advance(3 * DAY_MS);
    expect(await clean()).toBe(1);
    expect(await clean()).toBe(0);
    clock.set(new Date(FIRST.getTime() + HOUR_MS + GRACE_MS));
    await settleDue({ database, clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' });
    expect(await clean()).toBe(0);
    clock.advance(2 * DAY_MS);
    await settleDue({ database, clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' });
    clock.advance(HOUR_MS);
    await settleDue({ database, clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' });
    expect(await clean()).toBe(1);
  });
});
