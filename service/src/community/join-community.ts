/** What a new user means for the referral tree. */
import type { Transaction } from '../db/index.ts';
import type { User } from '../identity/index.ts';
import { enqueue } from './enqueue-event.ts';

/**
 * The hook for new users: a place in the tree, with the user or not at all. The roll-up adds the
 * member and records the event for the referrer.
 */
export async function joinCommunity(tx: Transaction, user: User): Promise<void> {
  await enqueue(tx, [{ kind: 'join', userId: user.userId }]);
}
