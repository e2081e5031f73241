/** The roots of settled hours, for everybody: what a proof ends in can be compared with what all others are shown. */
import type { Db } from '../db/index.ts';

export interface SettledRoot {
  readonly batch: number;
  readonly kind: string;
  readonly hour: Date;
  /** Hexadecimal. */
  readonly root: string;
  readonly settledAt: Date;
}

export interface RootFilter {
  readonly batch?: number | undefined;
  readonly hour?: Date | undefined;
  readonly current: number;
  readonly size: number;
}

// A run without lines has nothing to prove.
const WHERE = `state = 'settled' and lines > 0 and ($1::bigint is null or id = $1) and ($2::timestamptz is null or hour = $2)`;

/** Newest first. */
export async function listRoots(db: Db, { batch, hour, current, size }: RootFilter): Promise<{ roots: SettledRoot[]; total: number }> {
  const values = [batch ?? null, hour ?? null];
  const { rows: counts } = await db.query<{ n: number }>(`select count(*) as n from reward_batch where ${WHERE}`, values);
  const { rows } = await db.query<SettledRoot>(
    `select id as batch, kind, hour, encode(root, 'hex') as root, settled_at as "settledAt" from reward_batch where ${WHERE}
      order by id desc limit $3 offset $4`,
    [...values, size, (current - 1) * size],
  );
  return { roots: rows, total: counts[0]?.n ?? 0 };
}
