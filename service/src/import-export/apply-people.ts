import { addImportedMembers } from '../community/index.ts';
import type { Transaction } from '../db/index.ts';
import {
  type ImportedUser,
  importUsers,
  releaseNames,
  reserveUserIds,
  updateImportedUsers,
  withFastInserts,
} from '../identity/index.ts';
import {
  type ApplyContext,
  applyFile,
  applyPiece,
  isPending,
  type Outcome,
  rejectRow,
} from './apply-rows.ts';
import { IMPORTED_ID_END } from './schemas.ts';
import { findStaged, readStaged, type WorkRow } from './stage.ts';
import { NOT_REJECTED, unlimited } from './stage-sql.ts';

const PIECE = { size: 2000, width: 1 };

interface PersonData {
  readonly email: string;
  readonly nickname: string;
  readonly password_hash: string | null;
  readonly referrer_id: number | null;
  readonly referral_code: string | null;
  readonly status: ImportedUser['status'];
  readonly created_at: string;
}

function toUser(row: WorkRow): ImportedUser {
  const data = JSON.parse(row.data) as PersonData;
  return {
    userId: row.user_id,
    email: data.email,
    nickname: data.nickname,
    passwordHash: data.password_hash,
    referrerId: data.referrer_id,
    referralCode: data.referral_code,
    status: data.status,
    createdAt: data.created_at,
  };
}

/** Staged users whose address or code another staged user gets. */
const HOLDERS = `select distinct u.id from (
    select s.user_id, u.id from import_stage s join app_user u on u.email_key = s.email_key
    where s.file = 'people' and ${NOT_REJECTED('s')}
    union all
    select s.user_id, u.id from import_stage s
      join app_user u on u.referral_code = s.referral_code
    where s.file = 'people' and ${NOT_REJECTED('s')}
  ) u where u.user_id <> u.id order by u.id`;

const TAKEN = ['taken', 'an id, address or code of this row was taken meanwhile'] as const;
const NOT_UPDATED = [
  'changed_here',
  'was closed or changed in this service meanwhile: run the import again',
] as const;

async function applyPeople(
  tx: Transaction,
  rows: readonly WorkRow[],
  { clock, ...rules }: ApplyContext,
): Promise<Outcome> {
  const fresh = rows.filter(({ revision }) => revision === null);
  const known = rows.filter(({ revision }) => revision !== null);
  const added = fresh.length > 0 ? await importUsers(tx, fresh.map(toUser)) : new Set<number>();
  const updated =
    known.length > 0 ? await updateImportedUsers(tx, clock, known.map(toUser), rules) : added;
  await addImportedMembers(tx, [...added]);
  const isDone = (row: WorkRow): boolean =>
    (row.revision === null ? added : updated).has(row.user_id);
  return {
    applied: rows.filter(isDone).map((row) => ({ row })),
    rejects: rows
      .filter((row) => !isDone(row))
      .map((row) => rejectRow('people', row, 'id', row.revision === null ? TAKEN : NOT_UPDATED)),
  };
}

/** Pieces are many times slower while each row extends the indexes of the search. */
async function applyFirst(tx: Transaction, context: ApplyContext): Promise<void> {
  await withFastInserts(tx, async () => {
    for await (const rows of readStaged(tx, 'people', PIECE.size))
      await applyPiece(tx, 'people', () => applyPeople(tx, rows, context));
  });
}

/** The staged rows of some users in pieces. */
async function* readPieces(
  tx: Transaction,
  ids: readonly number[],
): AsyncGenerator<readonly WorkRow[]> {
  for (let at = 0; at < ids.length; at += PIECE.size)
    yield await findStaged(tx, 'people', ids.slice(at, at + PIECE.size).map(String));
}

/**
 * Users who exchange addresses or codes, in one transaction: each piece alone would meet the other
 * user's old one. All names are released before the first is given again.
 */
async function applyExchanges(tx: Transaction, context: ApplyContext): Promise<void> {
  const { rows: holders } = await tx.query<{ id: number }>(HOLDERS);
  const ids = holders.map(({ id }) => id);
  const released = new Set<number>();
  for await (const rows of readPieces(tx, ids))
    for (const id of await releaseNames(tx, rows.map(toUser), context.overwrites)) released.add(id);
  for await (const rows of readPieces(tx, ids))
    await applyPiece(tx, 'people', () =>
      applyPeople(
        tx,
        rows.filter(({ user_id }) => released.has(user_id)),
        context,
      ),
    );
}

/**
 * Adds and updates people. An installation without people gets them in one transaction, any other
 * piece by piece. Ids of new people then begin above the imported ones.
 */
export async function importPeople(context: ApplyContext): Promise<void> {
  const { database } = context;
  const { rowCount } = await database.query('select from app_user limit 1');
  const first = rowCount === 0 ? applyFirst : applyExchanges;
  await unlimited(database, (tx) => first(tx, context));
  await applyFile(context, 'people', { ...PIECE, isDue: isPending }, applyPeople);
  await unlimited(database, async (tx) => {
    const { rows } = await tx.query<{ last: number | null }>(
      'select max(id) as last from app_user',
    );
    await reserveUserIds(tx, Math.max(IMPORTED_ID_END, (rows[0]?.last ?? 0) + 1));
    await tx.query('analyze app_user, imported_row');
  });
}
