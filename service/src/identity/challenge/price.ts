/** What a request costs its caller: nothing, a challenge of some amount of work, or a refusal. */

/** A counter over the last hour, this request included. */
export interface CountedRisk {
  readonly hits: number;
  /** Hits without consequence. */
  readonly free: number;
}

export interface Risk {
  readonly counters: readonly CountedRisk[];
  /** Registrations from all networks; absent for other requests. */
  readonly total?: CountedRisk;
  /** Users have signed in from the network before the last day. */
  readonly isKnownNetwork: boolean;
}

/** Work that a browser does in a fraction of a second. Unit: derived keys. */
export const BASE_WORK = 100;
const CALM_GROWTH = 2;
const CALM_STEPS_MAX = 6;
/** During a surge: the first price is 8 times as high, and each step 8 times the one before. */
export const SURGE_GROWTH = 8;
const SURGE_STEPS_MAX = 2;

/** Undefined: nothing is asked. `Infinity`: no work is enough. */
export function priceOf({ counters, total, isKnownNetwork }: Risk): number | undefined {
  const isSurge = total !== undefined && total.hits > total.free;
  const steps = Math.max(0, ...counters.map(({ hits, free }) => hits - free));
  if (isSurge) {
    if (steps > SURGE_STEPS_MAX) return Number.POSITIVE_INFINITY;
    if (steps > 0 || !isKnownNetwork) return BASE_WORK * SURGE_GROWTH ** (steps + 1);
    return undefined;
  }
  return steps === 0 ? undefined : BASE_WORK * CALM_GROWTH ** Math.min(steps, CALM_STEPS_MAX);
}
