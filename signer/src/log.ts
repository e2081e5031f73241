/** The log of the signer: one line of JSON for each event. */
import type { SignerDeps } from './signer-deps.ts';

/**
 * A payout that waits meets the same event in each cycle: it is written once, until the payout has
 * another event.
 */
export function createLog(write: (line: string) => void, now: () => Date): SignerDeps['log'] {
  const lastOf = new Map<unknown, string>();
  return (event, details = {}) => {
    const { payout_id } = details;
    if (payout_id !== undefined) {
      if (lastOf.get(payout_id) === event) return;
      lastOf.set(payout_id, event);
    }
    write(JSON.stringify({ time: now().toISOString(), event, ...details }));
  };
}
