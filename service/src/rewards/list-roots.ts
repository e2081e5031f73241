/** The roots of settlements, the same for all readers: a proof must end in one of them. */
import { type Db, listKeys } from '../db/index.ts';
import { SETTLEMENTS_BY_ID } from './settlements.ts';

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

/** Newest first. The total is that of `listKeys`. */
export async function listRoots(
  db: Db,
  { batch, hour, ...page }: RootFilter,
): Promise<{ roots: SettledRoot[]; total: number }> {
  // A settlement without lines has no proofs.
  const conditions = ["state = 'settled'", 'lines > 0'];
  if (batch !== undefined) conditions.push('id = :batch');
  if (hour !== undefined) conditions.push('hour = :hour');
  const { keys, total } = await listKeys(
    db,
    `select id as key from reward_batch where ${conditions.join(' and ')} order by id desc`,
    { batch, hour },
    page,
  );
  const { rows } = await db.query<SettledRoot>(
    `select id as batch, kind, hour, encode(root, 'hex') as root, settled_at as "settledAt"
      from ${SETTLEMENTS_BY_ID} order by id desc`,
    [keys],
  );
  return { roots: rows, total };
}
