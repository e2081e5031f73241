/** The queue of the roll-up. */
import { databaseOf, defineStatement, execute, type Transaction } from '../db/index.ts';
import { rollUp } from './roll-up.ts';

export interface CommunityEvent {
  readonly kind: 'join' | 'amount';
  readonly userId: number;
  /** Change of the user's own purchases, in minor units. */
  readonly amount?: bigint;
}

const ENQUEUE = defineStatement(
  'community_enqueue',
  `insert into community_event (kind, user_id, amount)
  select * from unnest(:kinds::text[], :users::bigint[], :amounts::numeric[])`,
);

/** Queues events for the next roll-up. */
export async function queueEvents(
  tx: Transaction,
  events: readonly CommunityEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await execute(tx, ENQUEUE, {
    kinds: events.map(({ kind }) => kind),
    users: events.map(({ userId }) => userId),
    amounts: events.map(({ amount = 0n }) => amount.toString()),
  });
}

/**
 * Queues events. The embedded database has one writer anyway: there the roll-up runs in the same
 * transaction, and figures are exact from the start.
 */
export async function enqueue(tx: Transaction, events: readonly CommunityEvent[]): Promise<void> {
  await queueEvents(tx, events);
  if (events.length > 0 && databaseOf(tx).kind === 'embedded') await rollUp(tx);
}
