/** The log of the signer: one line of JSON for each event. */
import type { SignerDeps } from './signer-deps.ts';

/**
 * A payout that waits meets the same event in each cycle: it is written once, until another event
 * of the payout, or the same with other facts, follows.
 */
export function createLog(write: (line: string) => void, now: () => Date): SignerDeps['log'] {
  const lastOf = new Map<unknown, string>();
  return (event, details = {}) => {
    const { payout_id } = details;
    if (payout_id !== undefined) {
      const facts = JSON.stringify([event, details]);
      if (lastOf.get(payout_id) === facts) return;
      lastOf.set(payout_id, facts);
    }
    write(JSON.stringify({ time: now().toISOString(), event, ...details }));
  };
}
