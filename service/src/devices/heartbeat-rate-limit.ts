/**
 * How often a device may beat over HTTP: as often as over its live connection. A beat touches memory only, and so does
 * its limit: each process counts for itself. Counted by device, a person with many of them is never in their own way.
 */
import { limited } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';

export interface BeatLimitOptions {
  readonly clock: Clock;
  readonly heartbeatInterval_s: number;
  readonly messagesPerSecond: number;
}

/** Counts a beat of a device. @throws `rate_limited` with RateLimit headers */
export type TakeBeat = (deviceId: number) => void;

export function createBeatLimit({
  clock,
  heartbeatInterval_s,
  messagesPerSecond,
}: BeatLimitOptions): TakeBeat {
  const window_ms = heartbeatInterval_s * 1000;
  const beatsMax = messagesPerSecond * heartbeatInterval_s;
  const quota = { name: 'heartbeat', hits: beatsMax, window_s: heartbeatInterval_s };
  let counts = new Map<number, number>();
  let startedAt_ms = Number.NEGATIVE_INFINITY;
  return (deviceId) => {
    const now_ms = clock.now().getTime();
    // Before its begin: the clock was set back.
    if (now_ms < startedAt_ms || now_ms - startedAt_ms >= window_ms) {
      counts = new Map();
      startedAt_ms = now_ms;
    }
    const count = (counts.get(deviceId) ?? 0) + 1;
    counts.set(deviceId, count);
    if (count <= beatsMax) return;
    const retryAfter_s = Math.ceil((startedAt_ms + window_ms - now_ms) / 1000);
    throw limited(
      quota,
      retryAfter_s,
      `A device beats every ${heartbeatInterval_s} s, and at most ${beatsMax} times in that time.`,
    );
  };
}
