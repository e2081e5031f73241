/**
 * The payout document: what approvers sign with their passkeys and the signer verifies. Its hash
 * is the WebAuthn challenge.
 */
import { hash } from 'node:crypto';

/** JSON without spaces, members sorted by name. */
export function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

export interface Written {
  readonly text: string;
  readonly hash: string;
}

function write(value: object): Written {
  const text = toCanonicalJson(value);
  return { text, hash: hash('sha256', text, 'base64url') };
}

export interface PayoutDocument {
  readonly version: 1;
  readonly payout_id: number;
  readonly user_id: number;
  /** `Idempotency-Key` of the request: its user chose it. */
  readonly request_id: string;
  readonly network: string;
  /** Of an EVM network. */
  readonly chain_id: number | null;
  /** Of a UTXO network: the prefix of its bech32 addresses. */
  readonly address_prefix: string | null;
  readonly currency: string;
  /** Lower case; null: the chain's own coin. */
  readonly contract: string | null;
  readonly address: string;
  /** What arrives, in the smallest unit of the token on this chain. */
  readonly amount: string;
  readonly requested_at: string;
  /** Counts the documents of the payout: each time it comes back from a signer, a new one. */
  readonly attempt: number;
  readonly issued_at: string;
}

/** What the user's passkey signs: the payout as its user knows it, before it has an id. */
export type PayoutOrderFacts = Omit<
  PayoutDocument,
  'version' | 'payout_id' | 'requested_at' | 'attempt' | 'issued_at'
>;

/** The text of an order, and its hash. */
export const writeOrder = (facts: PayoutOrderFacts): Written =>
  write({ kind: 'payout-order', version: 1, ...facts });

/** The next document of a payout: what was approved before is not approved by it. */
export function reissueDocument(text: string, now: Date): Written {
  const before = JSON.parse(text) as PayoutDocument;
  const { attempt = 1 } = before as Partial<PayoutDocument>;
  return writeDocument({ ...before, attempt: attempt + 1, issued_at: now.toISOString() });
}

/** The text of a document, and its hash. */
export const writeDocument = (document: PayoutDocument): Written => write(document);
