/** The sanctions check: an https address of the operator that must answer before an approval. */
import type { Outgoing } from '../http/index.ts';
import type { PayoutRow } from './queries.ts';

export interface SanctionsAnswer {
  readonly is_allowed: boolean;
  readonly status: number;
  /** As it came, shortened. */
  readonly answer: string;
}

const TEXT_MAX = 2000;
const OK = 200;

/** A JSON object with `allowed: true`; all else that answers denies. */
function readAllowed(status: number, text: string): boolean {
  if (status !== OK) return false;
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && 'allowed' in answer
      ? answer.allowed === true
      : false;
  } catch {
    return false;
  }
}

/** Asks about an address. @throws OutgoingError without an answer: ask again later */
export async function checkSanctions(
  outgoing: Outgoing,
  url: string,
  { id, network, currency, address, document_hash }: PayoutRow,
): Promise<SanctionsAnswer> {
  const { status, text } = await outgoing.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ payout_id: id, network, currency, address, document_hash }),
  });
  const answer = text.slice(0, TEXT_MAX).toWellFormed().replaceAll('\0', '');
  return { is_allowed: readAllowed(status, text), status, answer };
}
