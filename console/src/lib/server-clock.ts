/**
 * The time at the service, which counts days and lifetimes of quotes: the clock of the device may
 * be minutes or days off. It is read from each response, and counted on in between.
 */
import type { ServerClock } from '@edge-account/sdk';

/** A `Date` header has whole seconds: a time that is earlier by less than this is rounding. */
const ROUNDING_MS = 2000;

export function createServerClock(): ServerClock {
  /** The service's time at the origin of this page's monotonic clock, once it is known. */
  let origin_ms: number | undefined;
  return {
    learn(response) {
      const date_ms = Date.parse(response.headers.get('date') ?? '');
      if (Number.isNaN(date_ms)) return;
      const next_ms = date_ms - performance.now();
      const isLater =
        origin_ms === undefined || next_ms > origin_ms || next_ms < origin_ms - ROUNDING_MS;
      if (isLater) origin_ms = next_ms;
    },
    now_ms: () =>
      origin_ms === undefined ? Date.now() : Math.floor(origin_ms + performance.now()),
  };
}

/** The one of this page. */
export const serverClock = createServerClock();

export const serverNow_ms = serverClock.now_ms;

export function serverNow(): Date {
  return new Date(serverNow_ms());
}
