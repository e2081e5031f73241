/**
 * The ledger refused a posting of a payout. That is about this payout alone: the others continue,
 * which they would not do without a database, for example.
 */
export class PayoutNotPosted extends Error {
  constructor(payoutId: number, reason: string) {
    super(`payout ${payoutId} was not posted: ${reason}`);
  }
}
