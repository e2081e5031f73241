/** What waits may be millions in an outage, when figures are read most: each is counted so far. */
export const COUNTED_MAX = 10_000;
