/** What the signer makes of payouts that it is handed: they go on, or a report goes back. */
import type { Report, TakenPayout } from './service-client.ts';
import {
  type ChainRules,
  checkApprovals,
  checkDocument,
  type PayoutDocument,
  Refusal,
  readDocument,
  type VerifyConfig,
} from './verify-payout.ts';

export interface Verified {
  readonly taken: TakenPayout;
  readonly document: PayoutDocument;
}

const isReport = (verdict: object): verdict is Report => 'outcome' in verdict;

/** What goes on, and what is reported as refused. */
export function split<T extends object>(verdicts: readonly (T | Report)[]): [T[], Report[]] {
  const going = verdicts.filter((verdict): verdict is T => !isReport(verdict));
  return [going, verdicts.filter(isReport)];
}

/** @throws error that is no refusal */
export function toReport(taken: TakenPayout, error: unknown): Report {
  if (!(error instanceof Refusal)) throw error;
  return { payout_id: taken.payout_id, outcome: error.outcome, reason: error.message };
}

export async function verifyTaken(
  config: VerifyConfig,
  here: { readonly rules: ChainRules; readonly now: number },
  taken: TakenPayout,
): Promise<Verified | Report> {
  try {
    const document = readDocument(taken);
    const token = checkDocument(config, document, here);
    await checkApprovals(config, token, document, taken);
    return { taken, document };
  } catch (error) {
    return toReport(taken, error);
  }
}

interface Known {
  readonly document_hash: string;
  readonly is_void?: 0 | 1;
}

const GIVEN_UP = 'this signer gave the payout up: reject it, or pay it with another state';

/**
 * Those that the state does not have, each once. A payout that it knows is paid as it was accepted,
 * or never.
 */
export function pickFresh(
  deps: {
    readonly state: { find(id: number): Known | undefined };
    log(event: string, details?: object): void;
  },
  taken: readonly TakenPayout[],
): [TakenPayout[], Report[]] {
  const fresh = new Map<number, TakenPayout>();
  const reports: Report[] = [];
  for (const one of taken) {
    const { payout_id, document_hash } = one;
    const known: Known | undefined = deps.state.find(payout_id) ?? fresh.get(payout_id);
    if (!known) fresh.set(payout_id, one);
    else if (known.document_hash !== document_hash) {
      deps.log('payout_changed', { payout_id });
      if (known.is_void) reports.push({ payout_id, outcome: 'refused', reason: GIVEN_UP });
    }
  }
  return [[...fresh.values()], reports];
}
