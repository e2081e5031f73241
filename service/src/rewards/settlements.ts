/** Settlements as they are stored. */
import { type Db, queryNamed, type Transaction } from '../db/index.ts';
import { SHARDS } from '../ledger/index.ts';

/** Until when late changes have been read. */
export const LAST_CORRECTION = "select max(until) from reward_batch where kind = 'correction'";

export const REWARD_PERIODS = ['hour', 'day'] as const;
/** How often rewards are paid. A settlement keeps the period with which it was opened. */
export type RewardPeriod = (typeof REWARD_PERIODS)[number];

export interface Settlement {
  readonly id: number;
  readonly kind: 'hour' | 'correction' | 'release';
  readonly hour: Date;
  readonly ruleVersion: number;
  /** `computed`: the lines wait for the payment of their day. */
  readonly state: 'open' | 'computed' | 'posting' | 'settled';
  /** `hour`: each line has a bill; `day`: the lines of a UTC day are paid together. */
  readonly period: RewardPeriod;
  /** Period `day`: the payment that pays the lines; null: they wait. */
  readonly paymentId: number | null;
  /**
   * What is done in buckets: of an hour, or of the hour that a correction is at. Null: none of it,
   * or it has no buckets.
   */
  readonly step: 'devices' | 'referrals' | 'bills' | null;
  readonly since: Date | null;
  readonly until: Date | null;
  /** Kind correction: the hour that it is at, all before it are done; null: none is, or all are. */
  readonly lateHour: Date | null;
  /** The leaf at which the lines of that hour begin. */
  readonly lateLeaf: number | null;
  readonly refereeId: number | null;
  readonly saltKey: Buffer;
  readonly lines: number;
  readonly posted: number;
  readonly root: Buffer | null;
  readonly rootTransfer: number | null;
  readonly settledAt: Date | null;
  /** When an operator closed it without its remaining lines. */
  readonly closedAt: Date | null;
  /** Since when its lines are read from the archive; null: from the database. */
  readonly movedAt: Date | null;
}

const SELECT_SETTLEMENT = `select id, kind, hour, rule_version as "ruleVersion", state, period,
    payment_id as "paymentId", step, since, until, late_hour as "lateHour",
    late_leaf as "lateLeaf", referee_id as "refereeId", salt_key as "saltKey", lines,
    posted, root, root_transfer as "rootTransfer",
    settled_at as "settledAt", closed_at as "closedAt", moved_at as "movedAt"
  from reward_batch`;

/** Settlements `b` with the ids `$1`: without statistics a join would read all settlements. */
export const SETTLEMENTS_BY_ID = `unnest($1::bigint[]) as listed (listed_id)
    cross join lateral (select * from reward_batch where id = listed_id offset 0) b`;

export async function findSettlement(db: Db, id: number): Promise<Settlement | undefined> {
  return (await db.query<Settlement>(`${SELECT_SETTLEMENT} where id = $1`, [id])).rows[0];
}

/** Locks a settlement in a state; undefined: it is in another state, or another instance has it. */
export async function lockSettlement(
  tx: Transaction,
  id: number,
  state: Settlement['state'],
): Promise<Settlement | undefined> {
  return (
    await queryNamed<Settlement>(
      tx,
      `${SELECT_SETTLEMENT} where id = :id and state = :state for no key update skip locked`,
      { id, state },
    )
  ).rows[0];
}

/** Settlements that are not settled yet, oldest first. */
export async function listUnsettled(db: Db): Promise<Settlement[]> {
  return (await db.query<Settlement>(`${SELECT_SETTLEMENT} where state <> 'settled' order by id`))
    .rows;
}

/** What a payment pays, oldest first. */
export async function listPaid(db: Db, paymentId: number): Promise<Settlement[]> {
  return (
    await db.query<Settlement>(`${SELECT_SETTLEMENT} where payment_id = $1 order by id`, [
      paymentId,
    ])
  ).rows;
}

/**
 * What was settled since a verification. Instances may change `settled_at`: a settlement whose root
 * was posted since is one, too.
 */
export interface SettledSince {
  readonly at: Date;
  /** Where the transfers of each shard stood. */
  readonly transfers: readonly { readonly shard: number; readonly transfers: number }[];
}

/** In SQL, of settlements `b`: it was settled since. Its values are those of `sinceValues`. */
export const IS_SETTLED_SINCE = `(:at::timestamptz is null or b.settled_at >= :at
    or exists (
      select from unnest(:shards::int[], :first_transfers::bigint[]) as s (shard, first)
      where b.root_transfer % ${SHARDS} = (s.shard + 1) % ${SHARDS}
        and (b.root_transfer - 1) / ${SHARDS} >= s.first
    ))`;

export const sinceValues = (since: SettledSince | null) => ({
  at: since?.at ?? null,
  shards: since?.transfers.map(({ shard }) => shard) ?? [],
  first_transfers: since?.transfers.map(({ transfers }) => transfers) ?? [],
});

/** Those that are settled, oldest first. @param since null: all */
export async function listSettled(db: Db, since: SettledSince | null): Promise<Settlement[]> {
  const { rows } = await queryNamed<Settlement>(
    db,
    `${SELECT_SETTLEMENT} b where state = 'settled' and ${IS_SETTLED_SINCE} order by id`,
    sinceValues(since),
  );
  return rows;
}

/** The last hour that has a settlement. */
export async function lastHour(db: Db): Promise<Date | undefined> {
  const { rows } = await db.query<{ hour: Date | null }>(
    "select max(hour) as hour from reward_batch where kind = 'hour'",
  );
  return rows[0]?.hour ?? undefined;
}

/**
 * Version that an hour was settled with; its lines exist, posted or not. Undefined of an hour that
 * is read from the archive: it is not corrected any more.
 */
export async function settledVersion(db: Db, hour: Date): Promise<number | undefined> {
  const { rows } = await db.query<{ version: number }>(
    `select rule_version as version from reward_batch
      where kind = 'hour' and hour = $1 and state <> 'open' and moved_at is null`,
    [hour],
  );
  return rows[0]?.version;
}
