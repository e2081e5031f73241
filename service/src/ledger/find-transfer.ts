/** Transfers with what they reverse, and what has reversed them. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { transferById } from './packed-entries.ts';
import { type PostedTransfer, readPostings } from './read-postings.ts';

export interface FoundTransfer extends PostedTransfer {
  readonly createdAt: Date;
  /** The `idem` under which it was posted. */
  readonly idempotencyKey: string;
  readonly reverses: number | null;
  readonly reversedBy: number | null;
}

type Marks = Pick<
  FoundTransfer,
  'transferId' | 'createdAt' | 'idempotencyKey' | 'reverses' | 'reversedBy'
>;

const MARKS = defineStatement(
  'ledger_transfer_marks',
  `select t.id as "transferId", t.created_at as "createdAt",
    t.idempotency_key as "idempotencyKey", t.reverses,
    (select undo.id from transfer undo where undo.reverses = t.id limit 1) as "reversedBy"
  from unnest(:transfer_ids::bigint[]) as asked (id)
    cross join lateral ${transferById('asked.id')} t`,
);

/** Transfers in the order of their ids as given; one that does not exist is left out. */
export async function findTransfers(
  db: Db,
  transferIds: readonly number[],
): Promise<FoundTransfer[]> {
  if (transferIds.length === 0) return [];
  const { rows } = await execute<Marks>(db, MARKS, { transfer_ids: transferIds });
  const marks = new Map(rows.map((row) => [row.transferId, row]));
  const postings = await readPostings(db, transferIds);
  const found = new Map(postings.map((posting) => [posting.transferId, posting]));
  return transferIds.flatMap((id) => {
    const [posting, marked] = [found.get(id), marks.get(id)];
    return posting && marked ? { ...posting, ...marked } : [];
  });
}

export async function findTransfer(db: Db, transferId: number): Promise<FoundTransfer | undefined> {
  return (await findTransfers(db, [transferId]))[0];
}
