/**
 * Buckets: the users of an hour by ranges of their ids. Each bucket is computed in one transaction,
 * and has a Merkle tree of its own.
 */
import { type Db, queryNamed, type Transaction } from '../db/index.ts';
import { hashBucket } from './merkle.ts';

/** Users of a bucket, unless a test says otherwise. */
export const USERS_PER_BUCKET = 32_768;
/** The leaves of a bucket begin at its number times this. */
export const BUCKET_LEAVES = 2 ** 32;
export const NO_END = '9223372036854775807';

export type BucketKind = 'devices' | 'referrals';

export interface Bucket {
  readonly bucket: number;
  /** Null: not computed yet. */
  readonly lines: number | null;
  /** Null: its lines are not all posted. */
  readonly root: Buffer | null;
}

/** A bucket that this transaction computes. */
export interface LockedBucket {
  readonly bucket: number;
  /** Its users have ids from here on, */
  readonly firstUser: string;
  /** and below this. */
  readonly nextUser: string;
  /** When an operator closed the settlement. */
  readonly closedAt: Date | null;
  readonly plannedAt: Date;
}

/** Ranges of as many users each; new users belong to the last one. */
const INSERT_BUCKETS = `insert into reward_bucket (batch_id, bucket, kind, first_user, next_user)
  select :batch_id, (k.n - 1) * count(*) over (partition by k.kind)
      + row_number() over (partition by k.kind order by b.first_user) - 1,
    k.kind, b.first_user, lead(b.first_user) over (partition by k.kind order by b.first_user)
  from (
      select case when n = 1 then 0 else id end as first_user
      from (select id, row_number() over (order by id) as n from app_user) u
      where n % :users::int = 1 or :users::int = 1
    ) b
    cross join unnest(:kinds::text[]) with ordinality as k (kind, n)`;

export async function insertBuckets(
  tx: Transaction,
  batchId: number,
  users: number,
  kinds: readonly BucketKind[],
): Promise<void> {
  await queryNamed(tx, INSERT_BUCKETS, { batch_id: batchId, users, kinds });
}

/**
 * Locks a bucket that is not computed; undefined: none is left, others compute the rest, or the
 * settlement is at another step.
 */
export async function lockBucket(
  tx: Transaction,
  batchId: number,
  kind: BucketKind,
): Promise<LockedBucket | undefined> {
  const { rows } = await queryNamed<LockedBucket>(
    tx,
    `select k.bucket, k.first_user::text as "firstUser",
        coalesce(k.next_user::text, :no_end) as "nextUser",
        b.closed_at as "closedAt", b.planned_at as "plannedAt"
      from reward_bucket k join reward_batch b on b.id = k.batch_id
      where k.batch_id = :batch_id and k.kind = :kind and b.step = :kind and k.lines is null
      order by k.bucket limit 1 for no key update of k skip locked`,
    { batch_id: batchId, kind, no_end: NO_END },
  );
  return rows[0];
}

export async function storeBucketLines(
  tx: Transaction,
  batchId: number,
  bucket: number,
  lines: number,
): Promise<void> {
  await queryNamed(
    tx,
    'update reward_bucket set lines = :lines where batch_id = :batch_id and bucket = :bucket',
    { batch_id: batchId, bucket, lines },
  );
}

/** The buckets of a settlement in their order; none: it has one tree. */
export async function listBuckets(db: Db, batchId: number): Promise<Bucket[]> {
  return (
    await db.query<Bucket>(
      'select bucket, lines, root from reward_bucket where batch_id = $1 order by bucket',
      [batchId],
    )
  ).rows;
}

/** A part of a settlement whose leaves follow one another. */
export interface Part {
  readonly bucket: number;
  readonly first: number;
  readonly lines: number;
}

/** The hashes of buckets in the tree of their settlement; undefined: one has no root yet. */
export function hashBuckets(buckets: readonly Bucket[]): Buffer[] | undefined {
  const hashes = buckets.flatMap(({ lines, root }) =>
    lines === null || root === null ? [] : hashBucket(lines, root),
  );
  return hashes.length === buckets.length ? hashes : undefined;
}

/** The parts of a settlement: its buckets, or all of its lines. */
export function partsOf(lines: number, buckets: readonly Bucket[]): Part[] {
  return buckets.length === 0
    ? [{ bucket: 0, first: 0, lines }]
    : buckets.map((bucket) => ({
        bucket: bucket.bucket,
        first: bucket.bucket * BUCKET_LEAVES,
        lines: bucket.lines ?? 0,
      }));
}
