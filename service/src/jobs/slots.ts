/** How many jobs run at once: requests come first, so jobs share half of the connections. */
import type { Database } from '../db/index.ts';

/**
 * The embedded database has one connection anyway: who waits for something else meanwhile must not
 * hold up the others.
 */
const EMBEDDED_SLOTS = 4;

/** Runs work when a slot is free. */
type Slots = <T>(work: () => Promise<T>) => Promise<T>;

function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/**
 * Long jobs have a quarter of the slots, and wait for each other: however many are due, the other
 * slots are free within seconds. Each kind has one at least.
 */
export function createJobSlots(database: Database): {
  readonly long: Slots;
  readonly short: Slots;
} {
  const all =
    database.kind === 'embedded'
      ? EMBEDDED_SLOTS
      : Math.floor((database.pool.options.max ?? 2) / 2);
  const long = Math.max(1, Math.floor(all / 4));
  return { long: createSlots(long), short: createSlots(Math.max(1, all - long)) };
}
