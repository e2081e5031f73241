/** Many new members at once. */
import { type Database, defineStatement, execute, type Transaction } from '../db/index.ts';
import { queueEvents } from './enqueue-event.ts';
import { rebuildCommunity } from './rebuild-community.ts';
import { rollUp } from './roll-up.ts';

/**
 * A place in the tree for users who were imported; `rollUpImported` follows. Their referrers get no
 * event.
 */
export async function addImportedMembers(
  tx: Transaction,
  userIds: readonly number[],
): Promise<void> {
  await queueEvents(
    tx,
    userIds.map((userId) => ({ kind: 'amount', userId })),
  );
}

/** A roll-up writes all ancestors of each batch, a rebuild each member once. */
const REBUILT_MIN = 5000;
const REBUILT_SHARE = 0.1;

const QUEUE = defineStatement(
  'community_queue_share',
  `select (select count(*)::int from community_event) as queued, last_join_no as members
  from community_state`,
);

/** Updates the tree by the queue: rebuilds it when a large part of it is new. */
export async function rollUpImported(database: Database): Promise<void> {
  const { rows } = await execute<{ queued: number; members: number }>(database, QUEUE, {});
  const { queued, members } = rows[0] ?? { queued: 0, members: 0 };
  if (queued >= Math.max(REBUILT_MIN, members * REBUILT_SHARE)) await rebuildCommunity(database);
  await rollUp(database);
}
