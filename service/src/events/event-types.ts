/**
 * Every kind of event there is. A type that is not here cannot be recorded, so what webhooks may
 * ask for is complete.
 */
export const EVENT_TYPES = [
  'chain.backfilled',
  'chain.deposit_not_taken_back',
  'chain.halted',
  'chain.resumed',
  'chain.token_distrusted',
  'community.member_joined',
  'conversion.completed',
  'deposit.below_minimum',
  'deposit.confirming',
  'deposit.credited',
  'deposit.on_hold',
  'deposit.orphaned',
  'deposit.rejected',
  'deposit.reversed',
  'deposit.unsupported',
  'device.deleted',
  'device.disconnected',
  'device.registered',
  'notification.created',
  'package.purchased',
  'package.refunded',
  'payout.approved',
  'payout.cancelled',
  'payout.confirmed',
  'payout.failed',
  'payout.in_review',
  'payout.rejected',
  'payout.requested',
  'payout.sent',
  'payout.signed',
  'reward.posted',
  'rewards.closed',
  'rewards.released',
  'rewards.settled',
  'rules.activated',
  'security.new_sign_in',
  'wallet.changed',
  'withdrawal.cancelled',
  'withdrawal.held',
  'withdrawal.settled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Types of events that can be read from a posting, instead of being stored beside it. */
export type PostingEventType = Extract<EventType, 'reward.posted' | 'wallet.changed'>;

/** True for the name of an event, and for a kind of them: `deposit.*`. */
export function isKnownPattern(pattern: string): boolean {
  return EVENT_TYPES.some(
    (type) => type === pattern || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}
