/** What a new person means for the tree. */
import type { Transaction } from '../db/index.ts';
import { recordEvent } from '../events/index.ts';
import type { User } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { enqueue } from './enqueue-event.ts';

/** The hook for new people: a place in the tree, with the person or not at all; the referrer hears of it. */
export async function joinCommunity(tx: Transaction, clock: Clock, user: User): Promise<void> {
  await enqueue(tx, [{ kind: 'join', userId: user.userId }]);
  if (user.referrerId === undefined) return;
  await recordEvent(tx, clock, {
    userId: user.referrerId,
    type: 'community.member_joined',
    data: { user_id: user.userId, nickname: user.nickname },
  });
}
