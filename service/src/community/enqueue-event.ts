/** The queue of the roll-up. */
import { databaseOf, type Transaction } from '../db/index.ts';
import { rollUp } from './roll-up.ts';

export interface CommunityEvent {
  readonly kind: 'join' | 'amount';
  readonly userId: number;
  /** Change of the person's own purchases, in minor units. */
  readonly amount?: bigint;
}

/**
 * Puts something into the queue. The embedded database has one writer anyway: there the roll-up runs at once, in
 * the same transaction, and figures are exact the moment the change is.
 */
export async function enqueue(tx: Transaction, events: readonly CommunityEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.prepared(
    'community-enqueue',
    'insert into community_event (kind, user_id, amount) select * from unnest($1::text[], $2::bigint[], $3::numeric[])',
    [
      events.map(({ kind }) => kind),
      events.map(({ userId }) => userId),
      events.map(({ amount = 0n }) => amount.toString()),
    ],
  );
  if (databaseOf(tx).kind === 'embedded') await rollUp(tx);
}
