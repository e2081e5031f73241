/** Notes that operators write about a user, for each other. */
import { type Db, queryNamed, type Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { openOfUser, sealForUser } from '../erasure/person-keys.ts';

export interface UserNote {
  readonly id: number;
  /** The operator who wrote it; absent: a client without a user. */
  readonly authorId?: number;
  readonly clientId: string;
  /** Empty once the user's data are erased. */
  readonly text: string;
  readonly createdAt: Date;
}

export interface NewNote extends Pick<UserNote, 'authorId' | 'clientId' | 'text'> {
  readonly userId: number;
}

interface NoteRow {
  readonly id: number;
  readonly author_id: number | null;
  readonly client_id: string;
  readonly sealed: Buffer;
  readonly created_at: Date;
}

/** What is encrypted under the key of the user. */
interface SealedNote {
  readonly text: string;
}

const toNote = (row: NoteRow, text: string): UserNote => ({
  id: row.id,
  ...(row.author_id !== null && { authorId: row.author_id }),
  clientId: row.client_id,
  text,
  createdAt: row.created_at,
});

/** @throws `not_found` for an unknown user, and after the erasure of their data */
export async function addUserNote(
  tx: Transaction,
  clock: Clock,
  { userId, authorId, clientId, text }: NewNote,
): Promise<UserNote> {
  const now = clock.now();
  const { rowCount } = await tx.query('select 1 from app_user where id = $1 for key share', [
    userId,
  ]);
  if (rowCount === 0) throw failure('not_found');
  const sealed = await sealForUser(tx, userId, { text } satisfies SealedNote, now);
  if (!sealed) throw failure('not_found');
  const { rows } = await queryNamed<NoteRow>(
    tx,
    `insert into user_note (user_id, author_id, client_id, sealed, created_at)
     values (:user_id, :author_id, :client_id, :sealed, :now)
     returning id, author_id, client_id, sealed, created_at`,
    { user_id: userId, author_id: authorId ?? null, client_id: clientId, sealed, now },
  );
  const [row] = rows;
  if (!row) throw new Error('the note was not stored');
  return toNote(row, text);
}

/** A page of the notes about a user, newest first. */
export async function listUserNotes(
  db: Db,
  userId: number,
  { current, size }: { readonly current: number; readonly size: number },
): Promise<{ notes: UserNote[]; total: number }> {
  const { rows: counts } = await db.query<{ total: number }>(
    'select count(*) as total from user_note where user_id = $1',
    [userId],
  );
  const { rows } = await queryNamed<NoteRow>(
    db,
    `select id, author_id, client_id, sealed, created_at from user_note
     where user_id = :user_id order by id desc limit :size offset :skipped`,
    { user_id: userId, size, skipped: (current - 1) * size },
  );
  const opened = await openOfUser<SealedNote>(
    db,
    userId,
    rows.map(({ sealed }) => sealed),
  );
  const notes = rows.map((row, i) => toNote(row, opened[i]?.text ?? ''));
  return { notes, total: counts[0]?.total ?? 0 };
}
