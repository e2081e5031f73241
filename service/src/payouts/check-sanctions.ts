/** The sanctions check: an https address of the operator that must answer before an approval. */
import type { Outgoing } from '../http/index.ts';
import { parseExact } from '../lib/exact-json.ts';
import type { PayoutRow } from './queries.ts';

export interface SanctionsAnswer {
  readonly is_allowed: boolean;
  readonly status: number;
  /** As it came, shortened. */
  readonly answer: string;
}

const TEXT_MAX = 2000;
const OK = 200;

/**
 * The answer of the check itself: 200, and one JSON object with `allowed` as a boolean. Proxies
 * answer with other things, and parsers differ in which of two members with one name they take.
 * Undefined: no answer.
 */
function readAllowed(status: number, text: string): boolean | undefined {
  if (status !== OK) return undefined;
  try {
    const answer = parseExact(text);
    if (typeof answer !== 'object' || answer === null || !('allowed' in answer)) return undefined;
    return typeof answer.allowed === 'boolean' ? answer.allowed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Asks about an address. Undefined: the check has not answered, ask again later.
 * @throws OutgoingError no answer came: the same
 */
export async function checkSanctions(
  outgoing: Outgoing,
  url: string,
  { id, network, currency, address, document_hash }: PayoutRow,
): Promise<SanctionsAnswer | undefined> {
  const { status, text } = await outgoing.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ payout_id: id, network, currency, address, document_hash }),
  });
  const isAllowed = readAllowed(status, text);
  return isAllowed === undefined
    ? undefined
    : { is_allowed: isAllowed, status, answer: text.slice(0, TEXT_MAX).toWellFormed() };
}
