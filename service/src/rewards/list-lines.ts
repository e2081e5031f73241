/** What was settled of a person, with what became of it. */
import type { Db } from '../db/index.ts';
import { CHUNK, LINES, type Line } from './reward-lines.ts';

/** `refused`: the ledger did not take it; `released`: it was held, and then paid. */
export const LINE_STATUSES = ['paid', 'held', 'released', 'rejected', 'refused'] as const;
export type LineStatus = (typeof LINE_STATUSES)[number];

export interface ListedLine extends Omit<Line, 'status'> {
  readonly status: LineStatus;
  /** The bill that paid it; of a released line the bill of the release. */
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

/** `offset 0`: asked of each line by key, never joined with all chunks. */
const isPosted = (line: string): string =>
  `exists (select from reward_chunk c where c.batch_id = ${line}.batch_id and c.chunk = ${line}.leaf / ${CHUNK} offset 0)`;

// Lines are never changed: that one was refused, or released by a later one, stands beside it.
const FATE = `left join reward_refusal refusal on refusal.batch_id = l.batch_id and refusal.leaf = l.leaf
  left join lateral (select p.batch_id, p.leaf from reward_line p
    where l.status = 'held' and p.user_id = l.user_id and p.hour = l.hour and p.level = l.level and p.referee_id = l.referee_id and p.part = 'released'
      and p.status = 'paid' and ${isPosted('p')} and not exists (select from reward_refusal f where f.batch_id = p.batch_id and f.leaf = p.leaf)
    limit 1) release on true`;
const STATUS = `case when l.status = 'paid' and refusal.code is not null then 'refused' when release.batch_id is not null then 'released' else l.status end`;
const BILL = `(select t.id * 2 + case when l.amount > 0 then 0 else 1 end from transfer t
  where t.idempotency_key = 'reward:' || coalesce(release.batch_id, l.batch_id) || ':' || coalesce(release.leaf, l.leaf)
    and (release.batch_id is not null or refusal.code is null))`;
const WHERE = `l.user_id = $1 and ($2::text is null or ${STATUS} = $2) and ($3::text is null or l.reward_type = $3) and ($4::text is null or l.node_id = $4)
  and l.hour >= coalesce($5::timestamptz, '-infinity') and l.hour < coalesce($6::timestamptz, 'infinity') and ${isPosted('l')}`;

interface Row extends Line {
  readonly billId: number | null;
  readonly fate: LineStatus;
  readonly refusal: string | null;
}

/** A person's lines, newest hour first: a page, and how many there are. */
export async function listLines(
  db: Db,
  filter: LineFilter,
  current: number,
  size: number,
): Promise<{ lines: ListedLine[]; total: number }> {
  const values = [
    filter.userId,
    filter.status ?? null,
    filter.rewardType ?? null,
    filter.nodeId ?? null,
    filter.from ?? null,
    filter.before ?? null,
  ];
  const { rows: counts } = await db.query<{ n: number }>(
    `select count(*) as n from reward_line l ${FATE} where ${WHERE}`,
    values,
  );
  const page = `${LINES.replace('select ', `select ${BILL} as "billId", ${STATUS} as fate, refusal.code as refusal, `)} ${FATE}
    where ${WHERE} order by l.hour desc, l.batch_id desc, l.leaf desc limit $7 offset $8`;
  const { rows } = await db.query<Row>(page, [...values, size, (current - 1) * size]);
  const lines = rows.map(({ fate, refusal, ...line }) => ({
    ...line,
    status: fate,
    reason: fate === 'refused' ? refusal : line.reason,
  }));
  return { lines, total: counts[0]?.n ?? 0 };
}
