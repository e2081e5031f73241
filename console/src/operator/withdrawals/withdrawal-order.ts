/** Withdrawals of a person in the order in which operators look at them. */

interface Ordered {
  readonly status: string;
}

const isHeld = ({ status }: Ordered): boolean => status === 'held';

/** All that are held, then the last that ended; each newest first, as they come. */
export function listHeldFirst<T extends Ordered>(withdrawals: readonly T[], endedMax: number): T[] {
  const ended = withdrawals.filter((one) => !isHeld(one));
  return [...withdrawals.filter(isHeld), ...ended.slice(0, endedMax)];
}

/** The payout that it was held for, which alone ends it; the service writes this reference. */
export function payoutIdOf(reference: string | undefined): string | undefined {
  return /^payout:(\d+)$/.exec(reference ?? '')?.[1];
}
