import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import { recordTraffic } from '../../src/devices/index.ts';
import { Presence } from '../../src/devices/presence.ts';
import { installLedger } from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import {
  activateRules,
  draftRules,
  settleDue,
  verifySettlements,
} from '../../src/rewards/index.ts';
import { checkEarningsIdentity } from '../support/check-earnings.ts';
import { ENGINES, openTestDatabase } from '../support/databases.ts';
import { insertDevice, type TestDevice } from '../support/network.ts';
import { testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';

const MINUTE_MS = 60_000;
const START = new Date('2026-05-01T00:00:00Z');
const at = (minutes: number): Date => new Date(START.getTime() + minutes * MINUTE_MS);
const unit = (minutes: number): string => String((6n * 10n ** 18n * BigInt(minutes)) / 60n);

describe.each(ENGINES)('usage that arrives after its hour was paid, on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let userId: number;
  let known: TestDevice;
  let unknown: TestDevice;
  let third: TestDevice;

  const settle = () =>
    settleDue({ database, clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' as const });
  const report = (id: string, device: TestDevice, [from, to]: [number, number], bytesUp: bigint) =>
    recordTraffic(database, { clock, window_s: 3600 }, 'relay', [
      { reportId: id, nodeId: device.nodeId, bytesUp, bytesDown: 0n, from: at(from), to: at(to) },
    ]);
  const lines = async (rewardType: string) =>
    (
      await database.query(
        `select device_id, status, reason, settled_before, amount from reward_line
          where reward_type = $1 and hour = $2 order by batch_id, leaf`,
        [rewardType, START],
      )
    ).rows;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    installLedger(database, { clock, masterKey: testMasterKey });
    userId = await insertUser(database);
    known = await insertDevice(database, userId);
    unknown = await insertDevice(database, userId);
    third = await insertDevice(database, userId);
    const deps = { clock, rewardCurrency: 'EDGE' };
    clock.set(at(-1));
    const rules = {
      uptime: { amount: '6' },
      traffic: [{ category: '*', amount: '1' }],
      penalty: { amount: '0.25' },
      limits: { devices_per_user: 2 },
    };
    const { version } = await draftRules(database, deps, rules, 'test');
    await activateRules(database, deps, { version, from: START, by: 'test' });
  });
  afterAll(() => database.close());

  test('late time online is corrected once, with its waiting traffic', async () => {
    const presence = new Presence({
      database,
      clock,
      heartbeatInterval_s: 600,
      grace_s: 600,
      onError: () => {},
    });
    const beat = async (minutes: number, ...devices: TestDevice[]): Promise<void> => {
      clock.set(at(minutes));
      for (const { id } of devices) presence.recordHeartbeat(id, `10.0.0.${id}`);
      await presence.flush();
    };
    await beat(20, known);
    await beat(50, known);
    await beat(55, unknown, third);
    await report('waits', unknown, [55, 60], 1_000_000_000n);
    clock.set(at(70));
    await settle();
    expect(await lines('UPTIME')).toEqual([
      { device_id: known.id, status: 'paid', reason: null, settled_before: '0', amount: unit(30) },
    ]);
    expect(await lines('TRAFFIC')).toMatchObject([{ status: 'rejected', reason: 'not_online' }]);

    // Heard within three intervals: the rest of the hour was spent online.
    await beat(75, known);
    await beat(80, unknown);
    await beat(81, third);
    clock.set(at(131));
    await settle();
    const corrected = [
      { device_id: known.id, status: 'paid', reason: null, settled_before: '0', amount: unit(30) },
      {
        device_id: known.id,
        status: 'paid',
        reason: null,
        settled_before: unit(30),
        amount: unit(10),
      },
      { device_id: unknown.id, status: 'paid', reason: null, settled_before: '0', amount: unit(5) },
      {
        device_id: third.id,
        status: 'rejected',
        reason: 'limit_devices_per_user',
        settled_before: '0',
        amount: '0',
      },
    ];
    expect(await lines('UPTIME')).toEqual(corrected);
    expect(await lines('TRAFFIC')).toMatchObject([
      { status: 'rejected' },
      { status: 'paid', amount: String(10n ** 18n) },
    ]);
    clock.set(at(195));
    await settle();
    expect(await lines('UPTIME')).toEqual(corrected);
    await checkEarningsIdentity(database, userId);
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('the clock or queue of a relay costs users nothing, impossible traffic does', async () => {
    clock.set(at(210));
    const results = [
      await report('future', known, [200, 260], 1n),
      await report('late', known, [0, 1], 1n),
      await report('span', known, [10, 5], 1n),
      await report('impossible', unknown, [200, 209], 10n ** 17n),
    ].flat();
    expect(results).toMatchObject(
      ['report_in_future', 'report_too_late', 'report_span', 'report_implausible'].map((code) => ({
        status: 'refused',
        code,
      })),
    );
    clock.set(at(260));
    await settle();
    const { rows } = await database.query(
      "select device_id, quantity, amount from reward_line where reward_type = 'PENALTY'",
    );
    expect(rows).toEqual([
      { device_id: unknown.id, quantity: '1', amount: String(-25n * 10n ** 16n) },
    ]);
  });
});
