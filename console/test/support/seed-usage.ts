/**
 * When seeded devices are online and what they move, hour by hour: fixed irregular figures, so that
 * pictures can be compared. A device that is offline moves nothing and earns nothing.
 */
import type { Database } from '../../../service/src/db/index.ts';
import { recordTraffic } from '../../../service/src/devices/index.ts';
import type { createManualClock } from '../../../service/src/lib/clock.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const HOURS_A_DAY = 24;
/** Reports may be as old as that. */
const WINDOW_S = 604_800;
/** The browsers of a network are closed until that hour. */
const MORNING = 6;
const OUTAGE = { days: 11, from: 9, before: 13 };
const INTERRUPTED_EVERY = 13;
const INTERRUPTION_MAX_MS = 1_500_000;

export interface Node {
  readonly id: number;
  readonly nodeId: string;
  readonly userId: number;
  readonly createdAt: Date;
}

export interface Usage {
  readonly node: Node;
  readonly hour: Date;
  readonly online_ms: number;
  readonly bytesUp: bigint;
  readonly bytesDown: bigint;
}

/** @param at the place of the device: every second one is a browser, which is closed at night */
function onlineOf(at: number, hourNumber: number): number {
  const day = Math.floor(hourNumber / HOURS_A_DAY);
  const hour = hourNumber % HOURS_A_DAY;
  if (at % 2 === 1 && hour < MORNING) return 0;
  const isOutage = (day + at * 3) % OUTAGE.days === 0;
  if (isOutage && hour >= OUTAGE.from && hour < OUTAGE.before) return 0;
  const isInterrupted = (hourNumber * 31 + at * 17) % INTERRUPTED_EVERY === 0;
  return isInterrupted ? HOUR_MS - ((hourNumber * 7919) % INTERRUPTION_MAX_MS) : HOUR_MS;
}

function usageOf(node: Node, at: number, hour_ms: number): Usage {
  const n = hour_ms / HOUR_MS;
  return {
    node,
    hour: new Date(hour_ms),
    online_ms: onlineOf(at, n),
    bytesUp: BigInt(90_000_000 + ((n * 31 + at * 17) % 23) * 9_876_543),
    bytesDown: BigInt(310_000_000 + ((n * 37 + at * 11) % 29) * 12_345_678),
  };
}

/** The hours of a period in which the devices were online, each from its first whole hour on. */
export function listUsage(nodes: readonly Node[], from_ms: number, before_ms: number): Usage[] {
  const hours = Array.from(
    { length: Math.max(0, (before_ms - from_ms) / HOUR_MS) },
    (_, n) => from_ms + n * HOUR_MS,
  );
  return hours.flatMap((hour_ms) =>
    nodes
      .map((node, at) => usageOf(node, at, hour_ms))
      .filter(({ node, online_ms }) => online_ms > 0 && node.createdAt.getTime() <= hour_ms),
  );
}

/** Records it as presence and relays do. The clock stands at the end of the period. */
export async function recordUsage(
  database: Database,
  clock: ReturnType<typeof createManualClock>,
  usage: readonly Usage[],
): Promise<void> {
  await database.query(
    `insert into device_hour (device_id, hour, online_ms)
     select * from unnest($1::bigint[], $2::timestamptz[], $3::bigint[])`,
    [
      usage.map(({ node }) => node.id),
      usage.map(({ hour }) => hour),
      usage.map(({ online_ms }) => online_ms),
    ],
  );
  const reports = usage.map(({ node, hour, bytesUp, bytesDown }) => ({
    reportId: `past-${hour.getTime() / HOUR_MS}-${node.nodeId}`,
    ...{ nodeId: node.nodeId, bytesUp, bytesDown },
    ...{ from: hour, to: new Date(hour.getTime() + HOUR_MS) },
  }));
  const results = await recordTraffic(database, { clock, window_s: WINDOW_S }, 'relay', reports);
  const refused = results.find(({ status }) => status === 'refused');
  if (refused) throw new Error(`a report was refused: ${JSON.stringify(refused)}`);
}
