/** `POST /community/members/note` */
import { type Db, queryNamed, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, fieldError } from '../lib/failures.ts';

const GRAPHEMES_MAX = 20;
const BYTES_MAX = 1000;
/** Control characters, and those that change the direction of text. */
const FORBIDDEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
/** Only invisible characters: an empty note. */
const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function countGraphemes(text: string): number {
  let count = 0;
  for (const _ of graphemes.segment(text)) count++;
  return count;
}

/** @throws `invalid_parameter` */
export function checkNote(note: string): void {
  if (Buffer.byteLength(note) > BYTES_MAX)
    throw fieldError('note', 'too_long', `must be at most ${BYTES_MAX} bytes`);
  if (FORBIDDEN.test(note))
    throw fieldError(
      'note',
      'forbidden_character',
      'must not hold control or direction-changing characters',
    );
  if (countGraphemes(note) > GRAPHEMES_MAX)
    throw fieldError('note', 'too_long', `must be at most ${GRAPHEMES_MAX} characters`);
}

export interface NoteRequest {
  readonly userId: number;
  readonly targetUserId: number;
  readonly note: string;
}

/**
 * Sets the caller's note on a direct referral, or clears it.
 * @returns the stored note: empty when it has only invisible characters
 * @throws `invalid_parameter`; `not_found` when the user is no direct referral
 */
export async function setNote(
  db: Db,
  clock: Clock,
  { userId, targetUserId, note: text }: NoteRequest,
): Promise<string> {
  checkNote(text);
  const note = INVISIBLE.test(text) ? '' : text;
  await transaction(db, async (tx) => {
    const { rowCount } = await queryNamed(
      tx,
      'select from app_user where id = :target_user_id and referrer_id = :user_id',
      { target_user_id: targetUserId, user_id: userId },
    );
    if (rowCount === 0)
      throw failure('not_found', { detail: 'That is none of your direct referrals.' });
    if (note === '')
      await tx.query('delete from community_note where user_id = $1', [targetUserId]);
    else
      await queryNamed(
        tx,
        `insert into community_note (user_id, note, updated_at)
          values (:target_user_id, :note, :now)
         on conflict (user_id) do update
           set note = excluded.note, updated_at = excluded.updated_at`,
        { target_user_id: targetUserId, note, now: clock.now() },
      );
  });
  return note;
}
