/** The reward lines of a user, with their status now. */
import { type Db, defineStatement, executeUnprepared } from '../db/index.ts';
import {
  billIdSql,
  CHUNK,
  LINE_COLUMNS,
  LINES_FROM,
  type Line,
  lineKeySql,
  postingKeySql,
} from './reward-lines.ts';

/**
 * `accrued`: earned, and paid with its day; `refused`: by the ledger; `released`: it was held, and
 * then paid.
 */
export const LINE_STATUSES = [
  'accrued',
  'paid',
  'held',
  'released',
  'rejected',
  'refused',
] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

export interface ListedLine extends Omit<Line, 'status'> {
  readonly status: LineStatus;
  /** The bill that paid it; of a released line, the bill of the release. */
  readonly billId: number | null;
}

export interface LineFilter {
  readonly userId: number;
  readonly status?: LineStatus | undefined;
  readonly rewardType?: string | undefined;
  readonly nodeId?: string | undefined;
  readonly from?: Date | undefined;
  readonly before?: Date | undefined;
}

/** `offset 0` keeps this an index lookup for each line, instead of a join with all chunks. */
const isPosted = (line: string): string =>
  `exists (
      select from reward_chunk c
      where c.batch_id = ${line}.batch_id and c.chunk = ${line}.leaf / ${CHUNK} offset 0
    )`;

/** Lines never change: refusals and releases are other rows. */
const FROM = `${LINES_FROM}
    cross join lateral (
      select id, payment_id, state = 'computed' as waits from reward_batch
      where id = l.batch_id offset 0
    ) settlement
    left join reward_refusal refusal
      on refusal.batch_id = l.batch_id and refusal.leaf = l.leaf
    left join lateral (
      select p.batch_id, p.leaf from reward_line p
      where l.status = 'held' and p.user_id = l.user_id and p.hour = l.hour
        and p.level = l.level and p.referee_id = l.referee_id and p.part = 'released'
        and p.status = 'paid' and ${isPosted('p')}
        and not exists (
          select from reward_refusal f where f.batch_id = p.batch_id and f.leaf = p.leaf
        )
      limit 1
    ) release on true
    cross join lateral (
      select case
          when l.status = 'paid' and refusal.code is not null then 'refused'
          when release.batch_id is not null then 'released'
          when l.status = 'paid' and settlement.waits then 'accrued'
          else l.status
        end as status
    ) final
  where l.user_id = :user and (:status::text is null or final.status = :status)
    and (:reward_type::text is null or l.reward_type = :reward_type)
    and (:node::text is null or l.node_id = :node)
    and l.hour >= coalesce(:from::timestamptz, '-infinity')
    and l.hour < coalesce(:before::timestamptz, 'infinity')
    and (settlement.waits or ${isPosted('l')})`;

const COUNT_LINES = defineStatement('reward_lines_count', `select count(*) as n from ${FROM}`);

const READ_LINES = defineStatement(
  'reward_lines_page',
  `select ${LINE_COLUMNS}, final.status,
    case when final.status = 'refused' then refusal.code else l.reason end as reason,
    (
      select ${billIdSql('t', 'l.user_id')} from transfer t
      where t.idempotency_key = case final.status
          when 'paid' then ${postingKeySql('l', 'settlement')}
          when 'released' then ${lineKeySql('release')}
        end
    ) as "billId"
  from ${FROM}
  order by l.hour desc, l.batch_id desc, l.leaf desc limit :size offset :skip`,
);

export interface LinePage {
  readonly current: number;
  readonly size: number;
}

/** A user's lines, newest hour first: a page, and how many there are. */
export async function listLines(
  db: Db,
  { userId, status, rewardType, nodeId, from, before }: LineFilter,
  { current, size }: LinePage,
): Promise<{ lines: ListedLine[]; total: number }> {
  const values = {
    user: userId,
    status: status ?? null,
    reward_type: rewardType ?? null,
    node: nodeId ?? null,
    from: from ?? null,
    before: before ?? null,
    size,
    skip: (current - 1) * size,
  };
  const { rows: counts } = await executeUnprepared<{ n: number }>(db, COUNT_LINES, values);
  const { rows } = await executeUnprepared<ListedLine>(db, READ_LINES, values);
  return { lines: rows, total: counts[0]?.n ?? 0 };
}
