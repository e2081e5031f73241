/**
 * Every error that a caller can receive, by its stable code. Domains throw `failure(code)`; `http/`
 * maps the kind to a status (RFC 9457 problem details). Codes are part of the contract: never
 * rename one.
 */
import { PAYOUT_FAILURES } from './payout-failures.ts';
import { SIGN_IN_FAILURES } from './sign-in-failures.ts';

export type FailureKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method'
  | 'conflict'
  | 'precondition'
  | 'too_large'
  | 'unsupported'
  | 'misdirected'
  | 'upgrade'
  | 'limited'
  | 'unavailable'
  | 'internal';

export const FAILURES = {
  // Wire
  invalid_parameter: {
    kind: 'invalid',
    title: 'A parameter is missing, malformed or out of range',
  },
  malformed_body: { kind: 'invalid', title: 'The body is not valid JSON' },
  malformed_request: { kind: 'invalid', title: 'The request is not valid HTTP' },
  precondition_failed: {
    kind: 'precondition',
    title: 'The record was changed after it was read',
  },
  body_too_large: { kind: 'too_large', title: 'The body is too large' },
  unsupported_media_type: { kind: 'unsupported', title: 'The content type is not supported' },
  not_found: { kind: 'not_found', title: 'Not found' },
  method_not_allowed: { kind: 'method', title: 'The path does not take this method' },
  misdirected_request: { kind: 'misdirected', title: 'This instance does not serve this route' },
  rate_limited: { kind: 'limited', title: 'Too many requests' },
  unavailable: { kind: 'unavailable', title: 'The service is temporarily unavailable' },
  internal_error: { kind: 'internal', title: 'Internal error' },
  // Presenting tokens
  missing_token: { kind: 'unauthenticated', title: 'An access token is required' },
  invalid_token: { kind: 'unauthenticated', title: 'The token is not valid' },
  token_revoked: { kind: 'unauthenticated', title: 'The token was revoked' },
  insufficient_scope: { kind: 'forbidden', title: 'The scope of the token does not allow this' },
  wrong_token_kind: { kind: 'forbidden', title: 'This route requires another kind of token' },
  // Sign-in
  invalid_credentials: {
    kind: 'unauthenticated',
    title: 'The email address or the password is wrong',
  },
  challenge_required: { kind: 'forbidden', title: 'A challenge must be solved first' },
  invalid_code: { kind: 'unauthenticated', title: 'The code is wrong' },
  invalid_ticket: {
    kind: 'unauthenticated',
    title: 'The ticket is unknown, used or expired',
  },
  method_unavailable: { kind: 'invalid', title: 'The user cannot use this second factor' },
  account_disabled: { kind: 'forbidden', title: 'The account is disabled' },
  already_enrolled: { kind: 'conflict', title: 'This factor is already enrolled' },
  ...SIGN_IN_FAILURES,
  last_sign_in_method: {
    kind: 'conflict',
    title: 'The account would have no way to sign in',
  },
  account_not_empty: { kind: 'conflict', title: 'The account still holds money' },
  operator_account: { kind: 'conflict', title: 'The account belongs to an operator' },
  not_own_account: { kind: 'forbidden', title: 'The account does not belong to the token' },
  reauthentication_required: {
    kind: 'forbidden',
    title: 'Password and second factor must be verified again',
  },
  unmet_authentication_requirements: {
    kind: 'forbidden',
    title: 'The application requires an authenticator app or a passkey',
  },
  // OAuth clients and consent
  client_exists: { kind: 'conflict', title: 'A client with this id already exists' },
  own_client: { kind: 'conflict', title: 'The service requires this client' },
  public_client: { kind: 'conflict', title: 'A public client has no secret' },
  user_code_unknown: { kind: 'not_found', title: 'Unknown user code' },
  interaction_expired: {
    kind: 'not_found',
    title: 'The authorization request is unknown, used or expired',
  },
  // Idempotency
  idempotency_key_required: { kind: 'invalid', title: 'An Idempotency-Key header is required' },
  idempotency_key_reused: {
    kind: 'conflict',
    title: 'The Idempotency-Key was used with another body',
  },
  idempotency_in_flight: {
    kind: 'conflict',
    title: 'A request with this Idempotency-Key is still running',
  },
  // Devices
  node_taken: { kind: 'conflict', title: 'The device belongs to another user' },
  node_key_mismatch: {
    kind: 'forbidden',
    title: 'The key of the token is not the key of the device',
  },
  token_bound_elsewhere: { kind: 'forbidden', title: 'The token is bound to another device' },
  token_not_bound: { kind: 'forbidden', title: 'The token must first register its device' },
  token_not_fresh: {
    kind: 'forbidden',
    title: 'The device was revoked after this token was authorised',
  },
  device_deleted: { kind: 'conflict', title: 'The device is deleted' },
  upgrade_required: { kind: 'upgrade', title: 'WebSocket upgrade required' },
  origin_refused: { kind: 'forbidden', title: 'This origin may not connect' },
  invalid_connect_ticket: {
    kind: 'unauthenticated',
    title: 'The connect ticket is unknown, used or expired',
  },
  connection_limit: { kind: 'limited', title: 'Too many live connections' },
  unknown_node: { kind: 'not_found', title: 'No device has this node ID' },
  report_id_reused: {
    kind: 'conflict',
    title: 'The report ID was used for another traffic report',
  },
  report_span: {
    kind: 'invalid',
    title: 'A traffic report must cover more than 0 and at most 24 hours',
  },
  report_in_future: { kind: 'invalid', title: 'The traffic report ends in the future' },
  report_too_late: { kind: 'conflict', title: 'The traffic report arrived too late' },
  report_implausible: {
    kind: 'invalid',
    title: 'The traffic report exceeds the plausible number of bytes',
  },
  report_before_registration: {
    kind: 'conflict',
    title: 'The traffic report is older than the registration of the device',
  },
  report_after_cut: { kind: 'conflict', title: 'The device was revoked before the traffic report' },
  device_disconnected: { kind: 'conflict', title: 'The device is disconnected' },
  device_limit: { kind: 'conflict', title: 'Device limit reached' },
  // Money
  unknown_currency: { kind: 'invalid', title: 'Unknown currency' },
  unknown_business: { kind: 'invalid', title: 'Unknown transaction type' },
  unknown_wallet: { kind: 'invalid', title: 'Unknown wallet kind' },
  wallet_exists: { kind: 'conflict', title: 'The wallet kind exists with another side' },
  wallet_limit: { kind: 'conflict', title: 'Wallet kind limit reached' },
  invalid_amount: { kind: 'invalid', title: 'The amount must be positive and fit the currency' },
  same_account: { kind: 'invalid', title: 'A transfer needs two different accounts' },
  unknown_user: { kind: 'not_found', title: 'Unknown user' },
  insufficient_funds: { kind: 'conflict', title: 'The available balance is too small' },
  balance_too_large: { kind: 'conflict', title: 'The balance would become too large' },
  counter_negative: { kind: 'conflict', title: 'The total would become negative' },
  account_closed: { kind: 'conflict', title: 'The account is closed' },
  money_frozen: {
    kind: 'conflict',
    title: 'Conversion and withdrawal are frozen for this account',
  },
  batch_refused: { kind: 'conflict', title: 'Another item of the atomic batch was refused' },
  no_price: { kind: 'conflict', title: 'No price for this pair' },
  price_too_old: { kind: 'conflict', title: 'The price is too old to convert' },
  quote_used: { kind: 'conflict', title: 'The quote was already accepted' },
  quote_expired: { kind: 'conflict', title: 'The quote has expired' },
  hold_not_open: { kind: 'conflict', title: 'The hold is settled, cancelled or expired' },
  hold_expired: { kind: 'conflict', title: 'The hold has expired' },
  hold_too_small: { kind: 'conflict', title: 'Amount exceeds the remaining hold' },
  already_reversed: { kind: 'conflict', title: 'The transfer was already reversed' },
  not_reversible: { kind: 'conflict', title: 'The transfer cannot be reversed' },
  // Rewards
  rules_not_draft: { kind: 'conflict', title: 'The rules were activated and cannot change' },
  not_held: { kind: 'conflict', title: 'No reward of this user is held' },
  not_paid_by_rules: { kind: 'conflict', title: 'The bill was not paid by reward rules' },
  settlement_done: { kind: 'conflict', title: 'The settlement has ended' },
  not_provable: {
    kind: 'conflict',
    title: 'The records behind the bill were changed after the settlement',
  },
  not_settled: { kind: 'conflict', title: 'The hour is not settled yet' },
  // Webhooks
  webhook_limit: { kind: 'conflict', title: 'Webhook limit reached' },
  // Deposits
  network_unavailable: {
    kind: 'conflict',
    title: 'Deposits on this network are not available',
  },
  currency_exists: { kind: 'conflict', title: 'The currency exists with other decimals' },
  chain_id_taken: { kind: 'conflict', title: 'Another network has this chain id' },
  chain_not_halted: { kind: 'conflict', title: 'The network is not halted' },
  chain_not_started: { kind: 'conflict', title: 'The network has not been watched yet' },
  block_mismatch: {
    kind: 'conflict',
    title: 'The RPC endpoints have another block at this height, or none',
  },
  chain_unreachable: { kind: 'unavailable', title: 'No RPC endpoint of the network responds' },
  token_mismatch: { kind: 'conflict', title: 'The contract reports other properties of the token' },
  deposit_not_open: { kind: 'conflict', title: 'The state of the deposit does not allow this' },
  ...PAYOUT_FAILURES,
  // Packages
  refund_too_large: { kind: 'conflict', title: 'Amount exceeds what remains of the purchase' },
} as const satisfies Record<string, { kind: FailureKind; title: string }>;

export type FailureCode = keyof typeof FAILURES;

export interface FieldFailure {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

export interface FailureDetails {
  /** One sentence for the caller; no internals. */
  readonly detail?: string;
  readonly fields?: readonly FieldFailure[];
  /** Whole seconds after which a retry can succeed. */
  readonly retryAfter_s?: number;
  /** Further members of the problem document, snake_case. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Further response headers. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error with a stable code. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: FailureDetails;
  constructor(code: FailureCode, details: FailureDetails = {}) {
    super(details.detail ?? FAILURES[code].title, { cause: details.cause });
    this.name = 'Failure';
    this.code = code;
    this.details = details;
  }
}

/** Makes a failure; the caller throws it. */
export function failure(code: FailureCode, details?: FailureDetails): Failure {
  return new Failure(code, details);
}

/** Makes an `invalid_parameter` failure of one field. */
export function fieldError(field: string, code: string, message: string): Failure {
  return new Failure('invalid_parameter', {
    detail: `${field} ${message}`,
    fields: [{ field, code, message }],
  });
}
