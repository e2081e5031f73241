import type { Db } from '../db/index.ts';

/** Steps that placed holds, by the id of the hold: what a head of the ledger covers. */
export async function listPlacements(
  db: Db,
  holdIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await db.query<{ hold_id: number; id: number }>(
    `select hold_id, id from hold_step where hold_id = any($1::bigint[]) and kind = 'place'`,
    [holdIds],
  );
  return new Map(rows.map(({ hold_id, id }) => [hold_id, id]));
}
