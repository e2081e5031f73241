/**
 * Operations of operators without entries in the audit log. A test fails for any other that changes
 * something and writes none.
 */

/** Business servers call these by the million: what they do is kept elsewhere, with their name. */
const BY_PROGRAMS = [
  // The ledger seals each posting under a key that begins with its caller.
  ...['payReward', 'postTransfers', 'createPurchase'],
  // Kept with the client that reported, and compared with what is paid for it.
  'reportTraffic',
] as const;

const BY_ANYBODY = [
  // Change nothing: figures, a challenge for the next request, a signature.
  ...['dryRunRules', 'createApprovalOptions', 'signLedgerHead'],
  // The signer's work, which is sealed with each payout.
  ...['takePayouts', 'reportPayouts'],
] as const;

/** By operationId: `of clients` are audited when a person calls them. */
export const NOT_AUDITED: ReadonlyMap<string, 'always' | 'of clients'> = new Map([
  ...BY_PROGRAMS.map((name) => [name, 'of clients'] as const),
  ...BY_ANYBODY.map((name) => [name, 'always'] as const),
]);
