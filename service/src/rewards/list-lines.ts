/** The reward lines of a user, with their status now. */
import { type Db, defineStatement, executeUnprepared, LISTED_MAX } from '../db/index.ts';
import { IS_PAID_RELEASE, releasesOf } from './closed-lines.ts';
import {
  billIdSql,
  CHUNK,
  LINE_COLUMNS,
  type Line,
  lineKeySql,
  postingKeySql,
} from './reward-lines.ts';

/**
 * `accrued`: earned, and paid with its day; `refused`: by the ledger, or an operator closed its
 * settlement; `released`: it was held, and then paid.
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

const inRange = (line: string): string =>
  `${line}.user_id = :user and ${line}.hour >= coalesce(:from::timestamptz, '-infinity')
    and ${line}.hour < coalesce(:before::timestamptz, 'infinity')`;

/** The lines of the filter, whatever their status is. */
const LINES = `reward_line l
    cross join lateral (
      select id, payment_id, state = 'computed' as waits,
        closed_at is not null and state <> 'settled' as is_closing
      from reward_batch where id = l.batch_id offset 0
    ) settlement
  where ${inRange('l')} and (settlement.waits or ${isPosted('l')})
    and (:reward_type::text is null or l.reward_type = :reward_type)
    and (:node::text is null or l.node_id = :node)`;

/**
 * Lines never change: refusals and releases are other rows. A settlement is closed before the
 * refusals of its lines are recorded.
 */
const STATUS = `case
    when refusal.code is not null then 'refused'
    when release.batch_id is not null then 'released'
    when l.is_closing and (l.status = 'held' or l.status = 'paid' and l.waits) then 'refused'
    when l.status = 'paid' and l.waits then 'accrued'
    else l.status
  end`;
const REFUSAL = `left join reward_refusal refusal
      on refusal.batch_id = l.batch_id and refusal.leaf = l.leaf`;
const OF_ANY_STATUS = `(
    select l.*, settlement.waits, settlement.is_closing, settlement.payment_id from ${LINES}
  )`;

/**
 * The lines of a status. The releases are read once, and joined by hashes: asked for each held line
 * by itself, the lines of a referrer with a thousand referees would be read a thousand times.
 */
const OF_STATUS = `(
    with release as materialized (
      select p.hour, p.level, p.referee_id, min(p.batch_id) as batch_id from reward_line p
      where ${inRange('p')} and ${IS_PAID_RELEASE} and ${isPosted('p')} group by 1, 2, 3
    )
    select l.* from ${OF_ANY_STATUS} l
      ${REFUSAL}
      left join release on l.status = 'held' and release.hour = l.hour
        and release.level = l.level and release.referee_id = l.referee_id
    where ${STATUS} = :status
  )`;

const counted = (lines: string): string =>
  `select count(*) as n from (select from ${lines} l limit ${LISTED_MAX + 1}) counted`;

/** What else a list shows is looked up for the lines of the page alone. */
const page = (lines: string): string =>
  `select ${LINE_COLUMNS}, final.status,
    case final.status
      when 'refused' then coalesce(refusal.code, 'settlement_closed') else l.reason
    end as reason,
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
    ${releasesOf('l')}
      and ${isPosted('p')}
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
