/** The reward lines of a user, with their status now. */
import { type Db, defineStatement, executeUnprepared, LISTED_MAX } from '../db/index.ts';
import {
  billIdSql,
  CHUNK,
  LINE_COLUMNS,
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

const IN_RANGE = `l.user_id = :user and l.hour >= coalesce(:from::timestamptz, '-infinity')
    and l.hour < coalesce(:before::timestamptz, 'infinity')`;

/** The lines of the filter, whatever their status is. */
const LINES = `reward_line l
    cross join lateral (
      select id, payment_id, state = 'computed' as waits from reward_batch
      where id = l.batch_id offset 0
    ) settlement
  where ${IN_RANGE} and (settlement.waits or ${isPosted('l')})
    and (:reward_type::text is null or l.reward_type = :reward_type)
    and (:node::text is null or l.node_id = :node)`;

/** Lines never change: refusals and releases are other rows. */
const STATUS = `case
    when l.status = 'paid' and refusal.code is not null then 'refused'
    when release.batch_id is not null then 'released'
    when l.status = 'paid' and l.waits then 'accrued'
    else l.status
  end`;
const REFUSAL = `left join reward_refusal refusal
      on refusal.batch_id = l.batch_id and refusal.leaf = l.leaf`;
/** Lines of releases `l` that were posted, and not refused. */
const IS_RELEASE = `l.part = 'released' and l.status = 'paid' and ${isPosted('l')}
    and not exists (
      select from reward_refusal f where f.batch_id = l.batch_id and f.leaf = l.leaf
    )`;
const SAME_LINE = `release.hour = l.hour and release.level = l.level
      and release.referee_id = l.referee_id`;

/**
 * The lines of a status. The releases are read once, and joined by hashes: asked for each held line
 * by itself, the lines of a referrer with a thousand referees would be read a thousand times.
 */
const OF_STATUS = `(
    with release as materialized (
      select l.hour, l.level, l.referee_id, min(l.batch_id) as batch_id from reward_line l
      where ${IN_RANGE} and ${IS_RELEASE} group by 1, 2, 3
    )
    select l.* from (select l.*, settlement.waits, settlement.payment_id from ${LINES}) l
      ${REFUSAL}
      left join release on l.status = 'held' and ${SAME_LINE}
    where ${STATUS} = :status
  )`;
const OF_ANY_STATUS = `(select l.*, settlement.waits, settlement.payment_id from ${LINES})`;

const counted = (lines: string): string =>
  `select count(*) as n from (select from ${lines} l limit ${LISTED_MAX + 1}) counted`;

/** What else a list shows is looked up for the lines of the page alone. */
const page = (lines: string): string =>
  `select ${LINE_COLUMNS}, final.status,
    case when final.status = 'refused' then refusal.code else l.reason end as reason,
    (
      select ${billIdSql('t', 'l.user_id')} from transfer t
      where t.idempotency_key = case final.status
          when 'paid' then ${postingKeySql('l', 'l')}
          when 'released' then ${lineKeySql('release')}
        end
    ) as "billId"
  from (
    select * from ${lines} l order by hour desc, batch_id desc, leaf desc limit :size offset :skip
  ) l
  join reward_rules r on r.version = l.rule_version
  ${REFUSAL}
  left join lateral (
    select * from reward_line p
    where l.status = 'held' and p.user_id = l.user_id and p.hour = l.hour and p.level = l.level
      and p.referee_id = l.referee_id and ${IS_RELEASE.replaceAll('l.', 'p.')}
    limit 1
  ) release on true
  cross join lateral (select ${STATUS} as status) final
  order by l.hour desc, l.batch_id desc, l.leaf desc`;

const STATEMENTS = {
  ofAnyStatus: {
    count: defineStatement('reward_lines_count', counted(OF_ANY_STATUS)),
    page: defineStatement('reward_lines_page', page(OF_ANY_STATUS)),
  },
  ofStatus: {
    count: defineStatement('reward_lines_count_of_status', counted(OF_STATUS)),
    page: defineStatement('reward_lines_page_of_status', page(OF_STATUS)),
  },
} as const;

export interface LinePage {
  readonly current: number;
  readonly size: number;
}

/**
 * A user's lines, newest hour first: a page, and how many there are, counted up to one more than
 * `LISTED_MAX`. A thousand devices have half a million lines in a month. Pages behind are empty.
 */
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
  const statements = STATEMENTS[status === undefined ? 'ofAnyStatus' : 'ofStatus'];
  const { rows: counts } = await executeUnprepared<{ n: number }>(db, statements.count, values);
  const total = counts[0]?.n ?? 0;
  if (values.skip >= Math.min(total, LISTED_MAX)) return { lines: [], total };
  const { rows } = await executeUnprepared<ListedLine>(db, statements.page, values);
  return { lines: rows, total };
}
