/** What devices do in an hour: a relay reports the traffic of each. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../service/src/db/index.ts';
import { recordTraffic } from '../../service/src/devices/index.ts';
import type { createManualClock } from '../../service/src/lib/clock.ts';

const HOUR_MS = 3_600_000;
const REPORTS = 500;
const WINDOW_S = 604_800;

/** Rules with every kind of reward of devices that are always online. */
export const LIVE_RULES = {
  uptime: { amount: '0.5' },
  traffic: [{ category: '*', amount: '2' }],
  referral: [{ percent: '20', uptime_hours: 0, distinct_addresses: 0 }],
};

interface LiveNetwork {
  readonly database: Database;
  readonly clock: ReturnType<typeof createManualClock>;
}

/** A relay reports the traffic of `node-1` to `node-N` in the hour that begins at `from`. */
export async function reportTraffic(
  { database, clock }: LiveNetwork,
  devices: number,
  from: Date,
): Promise<void> {
  const to = new Date(from.getTime() + HOUR_MS);
  const settledAt = clock.now();
  clock.set(to);
  for (let first = 1; first <= devices; first += REPORTS)
    await recordTraffic(
      database,
      { clock, window_s: WINDOW_S },
      'relay',
      Array.from({ length: Math.min(REPORTS, devices + 1 - first) }, (_, n) => ({
        ...{ reportId: randomUUID(), nodeId: `node-${first + n}`, from, to },
        bytesUp: BigInt(90_000_000 + (first + n) * 9876),
        bytesDown: BigInt(310_000_000 + (first + n) * 12_345),
      })),
    );
  clock.set(settledAt);
}
