/** What the popup says about a status: texts by code, never messages of the service. */
import type { Status } from './messages.ts';
import { fillIn, type Texts } from './texts/index.ts';

type Reason = keyof Texts['reasons'];

/** By the codes of the service and the SDK. */
const REASONS: ReadonlyMap<string, Reason> = new Map<string, Reason>([
  ['device_disconnected', 'disconnected'],
  ['device_deleted', 'deleted'],
  ['not_found', 'disconnected'],
  ['replaced', 'replaced'],
  ['signed_out', 'sessionEnded'],
  ['token_revoked', 'sessionEnded'],
  ['invalid_token', 'sessionEnded'],
  ['invalid_grant', 'sessionEnded'],
  ['token_not_fresh', 'sessionEnded'],
  ['access_denied', 'declined'],
  ['insufficient_scope', 'notAllowed'],
  ['wrong_token_kind', 'notAllowed'],
  ['token_not_bound', 'notAllowed'],
  ['token_bound_elsewhere', 'notAllowed'],
  ['node_key_mismatch', 'notAllowed'],
  ['node_taken', 'otherAccount'],
  ['account_disabled', 'accountDisabled'],
  ['device_limit', 'deviceLimit'],
  ['connection_limit', 'connectionLimit'],
  ['rate_limited', 'tooManyRequests'],
  ['unreachable', 'unreachable'],
  ['unavailable', 'unavailable'],
  ['internal_error', 'unavailable'],
  ['restarting', 'unavailable'],
  ['connection_lost', 'connectionLost'],
  ['not_reading', 'connectionLost'],
  ['malformed_message', 'connectionLost'],
]);

/** The text of a code; a general one for a code that is not known. */
function reasonText({ reasons }: Texts, code: string | undefined): string {
  return reasons[REASONS.get(code ?? '') ?? 'other'];
}

export function describeStatus(texts: Texts, { state, code, isLocal = false }: Status): string {
  const reason = reasonText(texts, code);
  return fillIn(texts[state], isLocal ? fillIn(texts.signedOutHere, reason) : reason);
}
