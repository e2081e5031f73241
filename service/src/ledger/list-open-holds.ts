/** What is held now, of all people. */
import { type Db, queryNamed } from '../db/index.ts';
import { HOLDS, type Hold, type HoldRow, toHolds } from './holds.ts';
import { referenceOf } from './reference-data.ts';

/** A hold in the order of their beginnings. */
export interface HoldPlace {
  readonly at: Date;
  readonly id: number;
}

const FIRST: HoldPlace = { at: new Date(0), id: 0 };

/** Open holds of a transaction type, oldest first, after one of them. */
export async function listOpenHolds(
  db: Db,
  businessId: string,
  { size, after = FIRST }: { readonly size: number; readonly after?: HoldPlace | undefined },
): Promise<Hold[]> {
  const business = (await referenceOf(db, { businesses: [businessId] })).businesses.get(businessId);
  if (!business) throw new Error(`there is no transaction type ${businessId}`);
  const { rows } = await queryNamed<HoldRow>(
    db,
    `${HOLDS} where state = 'open' and (created_at, id) > (:at, :id)
      and business_id = :business_id order by created_at, id limit :size`,
    { at: after.at, id: after.id, business_id: business.id, size },
  );
  return toHolds(db, rows);
}
