/** A small network with rules that pay every kind of reward, the same in every hour. */
import type { Database } from '../../src/db/index.ts';
import { recordTraffic } from '../../src/devices/index.ts';
import { installLedger } from '../../src/ledger/index.ts';
import type { createManualClock } from '../../src/lib/clock.ts';
import { activateRules, draftRules, type RulesBody } from '../../src/rewards/index.ts';
import { addOnline, insertDevice, type TestDevice } from './network.ts';
import { testMasterKey } from './test-config.ts';
import { insertUser } from './test-users.ts';

const HOUR_MS = 3_600_000;

export const TEST_RULES: RulesBody = {
  uptime: { amount: '0.5' },
  traffic: [{ category: '*', amount: '2' }],
  referral: [
    { percent: '20', uptime_hours: 0, distinct_addresses: 1 },
    { percent: '10', uptime_hours: 0, distinct_addresses: 1 },
  ],
  campaigns: [
    {
      name: 'spring',
      percent: '12.5',
      from: '2026-01-01T00:00:00Z',
      before: '2027-01-01T00:00:00Z',
    },
  ],
  penalty: { amount: '0.01' },
  limits: { devices_per_user: 2, gb_per_device_hour: 3 },
};

export interface SettledNetwork {
  readonly users: readonly [top: number, middle: number, bottom: number];
  readonly devices: readonly TestDevice[];
  /** The usage of all users in an hour; moves the clock to the settlement of the hour. */
  use(hour: Date): Promise<void>;
}

/** Three users, each referred by the previous one, with four devices. */
export async function createNetwork(
  database: Database,
  clock: ReturnType<typeof createManualClock>,
  start: Date,
): Promise<SettledNetwork> {
  installLedger(database, { clock, masterKey: testMasterKey });
  clock.set(new Date(start.getTime() - 1));
  const top = await insertUser(database);
  const middle = await insertUser(database, { referrerId: top });
  const bottom = await insertUser(database, { referrerId: middle });
  const devices: TestDevice[] = [];
  for (const userId of [top, middle, bottom, bottom, bottom])
    devices.push(await insertDevice(database, userId));
  const rules = { clock, rewardCurrency: 'EDGE' };
  const draft = await draftRules(database, rules, TEST_RULES, 'test');
  await activateRules(database, rules, { version: draft.version, from: start, by: 'test' });

  return {
    users: [top, middle, bottom],
    devices,
    async use(hour) {
      clock.set(new Date(hour.getTime() + HOUR_MS - 1));
      await addOnline(
        database,
        hour,
        devices.map(({ id }, n) => ({ deviceId: id, online_ms: HOUR_MS - n * 1000 })),
      );
      const [from, to] = [hour, new Date(hour.getTime() + HOUR_MS)];
      const report = (n: number, device: number, bytesUp: bigint) => ({
        reportId: `${hour.getTime()}-${n}`,
        nodeId: devices[device]?.nodeId ?? '',
        bytesUp,
        bytesDown: 1n,
        from,
        to,
      });
      await recordTraffic(database, { clock, window_s: 604_800 }, 'relay', [
        report(1, 0, 1_000_000_000n),
        report(2, 2, 500_000_000n),
        report(3, 2, 4_000_000_000n),
        // More than a device can move: rejected, with a penalty.
        report(4, 3, 10n ** 15n),
      ]);
      clock.set(new Date(hour.getTime() + HOUR_MS + 600_000));
    },
  };
}
