/** One transfer with what it reverses, and what has reversed it. */
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

type Marks = Pick<FoundTransfer, 'createdAt' | 'idempotencyKey' | 'reverses' | 'reversedBy'>;

const MARKS = defineStatement(
  'ledger_transfer_marks',
  `select created_at as "createdAt", idempotency_key as "idempotencyKey", reverses,
    (select undo.id from transfer undo where undo.reverses = :transfer_id limit 1) as "reversedBy"
  from ${transferById(':transfer_id::bigint')} t`,
);

export async function findTransfer(db: Db, transferId: number): Promise<FoundTransfer | undefined> {
  const [marks] = (await execute<Marks>(db, MARKS, { transfer_id: transferId })).rows;
  const [posting] = await readPostings(db, [transferId]);
  return marks && posting && { ...posting, ...marks };
}
