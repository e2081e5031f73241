/**
 * What time it is at the service, which counts days and holds offers: the clock of the device may be minutes or days away
 * from it. Every answer tells its time; between answers the time since then is counted.
 */

/** An answer says its time in whole seconds: an earlier second than known is no news, up to this. */
const ROUNDING_MS = 2000;

export interface ServiceClock {
  /** Takes up the `Date` of an answer, where there is one. */
  hear(date: string | null): void;
  /** Now, by the service's clock; by the device's own until the service has answered. */
  now_ms(): number;
}

export function createServiceClock(): ServiceClock {
  /** The service's time when this page's own count began, as far as an answer has told. */
  let origin_ms: number | undefined;
  return {
    hear(date) {
      const told_ms = Date.parse(date ?? '');
      if (Number.isNaN(told_ms)) return;
      const next_ms = told_ms - performance.now();
      const isNews =
        origin_ms === undefined || next_ms > origin_ms || next_ms < origin_ms - ROUNDING_MS;
      if (isNews) origin_ms = next_ms;
    },
    now_ms: () =>
      origin_ms === undefined ? Date.now() : Math.floor(origin_ms + performance.now()),
  };
}

/** The one of this page. */
const clock = createServiceClock();

export const syncServerClock = clock.hear;

export const serviceNow_ms = clock.now_ms;

export function serviceNow(): Date {
  return new Date(serviceNow_ms());
}
