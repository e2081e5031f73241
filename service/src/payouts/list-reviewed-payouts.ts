/** Payouts as operators list them: the queue of a status, or those of a person. */
import Type, { type Static } from 'typebox';
import type { Db } from '../db/index.ts';
import { Id, PageParameters, StringEnum } from '../http/index.ts';
import { fieldError } from '../lib/failures.ts';
import { listPayouts, listQueue, type PageOf, type PayoutRow } from './queries.ts';
import { PAYOUT_STATUSES } from './schemas.ts';

export const QueueQuery = Type.Object({
  status: Type.Optional(
    StringEnum(PAYOUT_STATUSES, 'Those with this status. Required without `user_id`.'),
  ),
  user_id: Type.Optional(Id('Those of this person, newest first.')),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Only payouts with a greater id. With the last id of a page and `current` 1, the next ' +
        'page, however deep, and also while others leave the queue. Not with `user_id`.',
    }),
  ),
  ...PageParameters,
});

/** The queue of a status, or the payouts of a person. @throws `invalid_parameter` */
export function listReviewedPayouts(
  db: Db,
  { status, user_id: userId, after, current, size }: Static<typeof QueueQuery>,
): Promise<{ rows: PayoutRow[]; total: number }> {
  const page: PageOf = { current, size };
  if (userId !== undefined) {
    if (after !== undefined)
      throw fieldError('after', 'not_allowed', 'is for a queue, not for the payouts of a person');
    return listPayouts(db, userId, { ...page, ...(status !== undefined && { status }) });
  }
  if (status === undefined) throw fieldError('status', 'required', 'is required without user_id');
  return listQueue(db, { ...page, status, ...(after !== undefined && { after }) });
}
