/** What the signer makes of payouts that it is handed: they continue, or a report goes back. */
import { createHash } from 'node:crypto';
import type { DocumentStore } from './document-store.ts';
import type { HeadStore } from './head-store.ts';
import type { SignedOrder } from './owner-store.ts';
import type { Report, TakenPayout } from './service-client.ts';
import { findCoveredStep, type Head } from './verify-head.ts';
import { checkOwner, type Owners } from './verify-owner.ts';
import {
  type ChainRules,
  checkApprovals,
  checkDocument,
  type PayoutDocument,
  Refusal,
  readDocument,
  type TokenLimits,
  type VerifyConfig,
} from './verify-payout.ts';

/** A payout whose document is in order, and whose money the ledger holds. */
export interface Readable {
  readonly taken: TakenPayout;
  readonly document: PayoutDocument;
  readonly token: TokenLimits;
  /** Step of the ledger that holds its money. */
  readonly holdStep: number;
  readonly order?: SignedOrder;
}

const isReport = (verdict: object): verdict is Report => 'outcome' in verdict;

/** What continues, and what is reported as refused. */
export function split<T extends object>(verdicts: readonly (T | Report)[]): [T[], Report[]] {
  const going = verdicts.filter((verdict): verdict is T => !isReport(verdict));
  return [going, verdicts.filter(isReport)];
}

/** @throws error that is no refusal */
export function toReport(taken: TakenPayout, error: unknown): Report {
  if (!(error instanceof Refusal)) throw error;
  const { outcome, message: reason, cause_code } = error;
  return { payout_id: taken.payout_id, outcome, reason, ...(cause_code && { cause_code }) };
}

/** Of one batch. */
export interface Surroundings {
  readonly config: VerifyConfig;
  readonly rules: ChainRules;
  readonly head: Head;
  readonly heads: HeadStore;
  readonly documents: DocumentStore;
  readonly owners: Owners;
  /** Steps that payouts of this batch have, none of which is written yet. */
  readonly steps: Set<number>;
  readonly now: number;
}

/**
 * A document is approved once: no service can have it paid later, once it was refused or the payout
 * got another one. @throws Refusal
 */
function checkNewest(documents: DocumentStore, { attempt }: PayoutDocument, taken: TakenPayout) {
  const reason = documents.findRefusal(taken.document_hash);
  if (reason !== undefined) throw new Refusal('refused', reason);
  if (!documents.see(taken.payout_id, attempt))
    throw new Refusal('refused', 'the payout has a newer document');
}

/** Ends the approvals of what was refused; before the service gets the reports. */
export function keepRefusals(
  documents: DocumentStore,
  taken: readonly TakenPayout[],
  reports: readonly Report[],
): void {
  const texts = new Map(taken.map(({ payout_id, document }) => [payout_id, document]));
  for (const { payout_id, outcome, reason } of reports) {
    const hash = createHash('sha256').update(texts.get(payout_id) ?? '');
    if (outcome === 'refused') documents.refuse(hash.digest('base64url'), reason ?? '');
  }
}

/** Reads a document, and looks whether the head of the ledger covers its money. */
export function readTaken(here: Surroundings, taken: TakenPayout): Readable | Report {
  try {
    const document = readDocument(taken);
    const token = checkDocument(here.config, document, here);
    checkNewest(here.documents, document, taken);
    const holdStep = findCoveredStep(here.head, taken);
    const isFree = (step: number) => !here.steps.has(step) && !here.heads.isHoldTaken(step);
    if (holdStep === undefined || !isFree(holdStep))
      throw new Refusal('refused', 'no money of the ledger is held for the payout');
    const order = here.owners.choose(document, taken.owner);
    here.steps.add(holdStep);
    return { taken, document, token, holdStep, ...(order && { order }) };
  } catch (error) {
    return toReport(taken, error);
  }
}

/** Whether operators approved it, and its owner signed it: undefined, or the refusal. */
export async function verifyTaken(
  config: VerifyConfig,
  { token, document, taken, order }: Readable,
): Promise<Report | undefined> {
  try {
    await checkOwner(config, document, {
      ...(order && { order }),
      ...(taken.owner && { owner: taken.owner }),
    });
    await checkApprovals(config, token, document, taken);
    return undefined;
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
