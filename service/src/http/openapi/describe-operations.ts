/** What the OpenAPI document tells about an operation beside its schemas. */
import type { FailureCode } from '../../lib/failures.ts';

/** The parts of the document, in its order. */
export const TAGS = {
  'sign-in': 'Registration, login with a second factor, logout, password reset.',
  account: 'The signed-in user: profile, sessions, security log, connected applications.',
  'second-factors': 'Authenticator, passkeys and recovery codes.',
  'openid-connect': 'OAuth 2.0 and OpenID Connect: authorization, tokens, device flow, discovery.',
  wallets: 'Balances and bills of the asset wallet and the reward wallet, and conversion.',
  deposits: 'Deposit addresses, and what arrived on them.',
  payouts: 'Payout addresses, and what leaves the asset wallet to them.',
  devices: 'Terminals and browser extensions of a user, and their live connections.',
  community: 'Direct referrals and the whole downline.',
  dashboard: 'The account at a glance, and earnings by day.',
  rewards: 'What the reward rules computed, with proofs and the keys that sign them.',
  events: 'What happens to a user, as a stream.',
  brand: 'What people know the network by.',
  notifications: 'Notifications of a user, and the choice of them.',
  'operator-overview': 'Figures and alerts of the whole network.',
  'operator-audit': 'What operators and commands changed, with before and after.',
  'operator-people': 'Find people, see their account, and help them.',
  'operator-devices': 'Devices of all people, refused reports, and shared addresses.',
  'operator-clients': 'OAuth clients.',
  'operator-money': 'Rewards, transfers, withdrawals and purchases of business servers.',
  'operator-payouts': 'The policy and the queue of payouts, and what the signer takes.',
  'operator-prices': 'Prices, and the feeds that bring them.',
  'operator-ledger': 'Statements, wallet kinds, signed heads and the journal.',
  'operator-chains': 'Networks, tokens, currencies, and the review of deposits.',
  'operator-traffic': 'Traffic that relays measured.',
  'operator-rules': 'Reward rules, settlements and held rewards.',
  'operator-brand': 'Name, logo, accent, sender of mails, texts and support link.',
  'operator-webhooks': 'Webhooks, and the deliveries of their messages.',
  operations: 'Liveness, readiness and metrics of an instance.',
  development: 'For a service on the own machine only.',
} as const;

export interface OperationText {
  readonly summary: string;
  readonly description: string;
  /**
   * Problem codes beyond those that follow from the access and the schemas of the route (see
   * `documented-failures.ts`). A test fails when a route answers a code that the document lacks.
   */
  readonly failures?: readonly FailureCode[];
  /** Of a protocol endpoint: its errors in the shape of RFC 6749, by status. */
  readonly oauthErrors?: OAuthErrors;
}

/** Codes of RFC 6749 and its extensions by HTTP status. */
export type OAuthErrors = Readonly<Record<number, readonly string[]>>;

declare module 'fastify' {
  interface FastifySchema {
    failures?: readonly FailureCode[];
    oauthErrors?: OAuthErrors;
  }
}

export interface OperationSchema {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly failures: readonly FailureCode[];
  readonly oauthErrors?: OAuthErrors;
}

/** The same as parts of route schemas; the name of each is its operation id, stable for clients. */
export function describeOperations<const T extends Readonly<Record<string, OperationText>>>(
  tag: keyof typeof TAGS,
  texts: T,
): { readonly [Name in keyof T]: OperationSchema } {
  const entries = Object.entries(texts).map(([operationId, { failures = [], ...text }]) => [
    operationId,
    { operationId, tags: [tag], ...text, failures },
  ]);
  return Object.fromEntries(entries);
}
