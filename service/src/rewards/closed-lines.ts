/**
 * What a settlement held that an operator closed. From the transaction that closes it on, none of
 * it is held; each refusal is recorded later, with its step, because a settlement may have millions
 * of lines.
 */
import { defineStatement, executeUnprepared, type Transaction } from '../db/index.ts';
import { OPEN_RELEASES } from './referral-reward-query.ts';

/** In SQL, the settlements that are closed, and whose refusals are not all recorded. */
export const CLOSING = `select id from reward_batch
  where closed_at is not null and state <> 'settled'`;

/** In SQL, whether a line is of a settlement that is closed, with refusals to be recorded. */
export const isClosing = (line: string): string => `${line}.batch_id in (${CLOSING})`;

/** In SQL, lines of status `held` without a recorded refusal. */
export const isHeldOnRecord = (line: string): string => `${line}.status = 'held'
    and not exists (
      select from reward_refusal r
      where r.batch_id = ${line}.batch_id and r.leaf = ${line}.leaf offset 0
    )`;

/** In SQL, lines that an operator may release. */
export const isHeld = (line: string): string =>
  `${isHeldOnRecord(line)} and not ${isClosing(line)}`;

/** In SQL, whether `p` is a line of a release, and not refused. */
export const IS_PAID_RELEASE = `p.part = 'released' and p.status = 'paid'
        and not exists (
          select from reward_refusal f where f.batch_id = p.batch_id and f.leaf = p.leaf
        )`;

/** In SQL, the lines `p` of releases that pay what a line held: of none that was refused. */
export const releasesOf = (line: string): string => `select p.batch_id, p.leaf from reward_line p
      where ${line}.status = 'held' and p.user_id = ${line}.user_id and p.hour = ${line}.hour
        and p.level = ${line}.level and p.referee_id = ${line}.referee_id
        and ${IS_PAID_RELEASE}`;

/** A release records the refusals of closed settlements itself: what it pays here was before. */
const REFUSE_HELD = defineStatement(
  'rewards_refuse_held',
  `insert into reward_refusal (batch_id, leaf, code)
  select l.batch_id, l.leaf, 'settlement_closed' from reward_line l
  where l.batch_id = :batch and l.leaf >= :first and l.leaf < :end and l.status = 'held'
    and not exists (${releasesOf('l')})
  order by l.leaf
  on conflict do nothing`,
);

/**
 * Refuses what a closed settlement held in some leaves, unless a release has paid it. A release
 * that is being computed may have begun before the settlement was closed: this waits until it ends.
 */
export async function refuseHeld(
  tx: Transaction,
  batch: number,
  first: number,
  count: number,
): Promise<void> {
  await tx.query(`${OPEN_RELEASES} for share`);
  await executeUnprepared(tx, REFUSE_HELD, { batch, first, end: first + count });
}
