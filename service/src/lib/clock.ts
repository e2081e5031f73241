/** The source of time, injected everywhere, so that tests can choose any instant. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that moves only when it is set or advanced; for tests. */
export function createManualClock(
  start: string | Date,
): Clock & { advance(ms: number): void; set(instant: string | Date): void } {
  let at = new Date(start).getTime();
  return {
    now: () => new Date(at),
    advance: (ms) => {
      at += ms;
    },
    set: (instant) => {
      at = new Date(instant).getTime();
    },
  };
}
