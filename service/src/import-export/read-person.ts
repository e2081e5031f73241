import {
  type ImportedPassword,
  NICKNAME_LIMITS,
  type PasswordInput,
  readEmail,
} from '../identity/index.ts';
import { collectFieldErrors } from '../lib/collect-field-errors.ts';
import { readDisplayText } from '../lib/display-text.ts';
import { fieldError } from '../lib/failures.ts';
import { type ReaderContext, type RowValues, readId, readTime } from './row-values.ts';
import type { RowOf } from './schemas.ts';

function readPassword(
  { passwords }: ReaderContext,
  { password = '', password_input, status }: RowOf<'people'>,
): ImportedPassword {
  if (status === 'closed') return { kind: 'reset', stored: null };
  const input = (password_input ?? 'md5') as PasswordInput;
  if (password.startsWith('$') && password_input === undefined)
    throw fieldError('password_input', 'required', 'is required beside a hash');
  const read = passwords.read(password, input);
  if (!read)
    throw fieldError('password', 'unknown_hash', 'has no supported form, or is too expensive');
  return read;
}

/** What an account that was closed here has, too. */
const CLOSED_NICKNAME = 'Closed account';

function readNames(row: RowOf<'people'>): { email: string; nickname: string } {
  if (row.status === 'closed')
    return { email: `closed-${row.id}@account.invalid`, nickname: CLOSED_NICKNAME };
  if (row.email === undefined) throw fieldError('email', 'required', 'is required');
  const { email } = row;
  const nickname = row.nickname ?? email.split('@')[0] ?? '';
  const [address, name] = collectFieldErrors(
    () => readEmail(email),
    () => readDisplayText(nickname, 'nickname', NICKNAME_LIMITS),
  );
  return { email: address.address, nickname: name };
}

function readReferrer(row: RowOf<'people'>, id: number): number | undefined {
  if (row.referrer === undefined) return undefined;
  const referrer = Number(row.referrer);
  if (referrer >= id)
    throw fieldError(
      'referrer',
      'not_before',
      'must be a smaller id: users are referred by someone who was there before',
    );
  return referrer;
}

export function readPerson(context: ReaderContext, row: RowOf<'people'>): RowValues {
  const [id, names, password, createdAt] = collectFieldErrors(
    () => readId(row.id, 'id', context.idEnd),
    () => readNames(row),
    () => readPassword(context, row),
    () => readTime(row.created_at, 'created_at', context.now),
  );
  const referrerId = readReferrer(row, id);
  const referralCode = row.referral_code?.toUpperCase();
  const { email, nickname } = names;
  return {
    key: String(id),
    userId: id,
    position: id,
    referrerId,
    emailKey: email.toLowerCase(),
    referralCode,
    passwordKind: row.status === 'closed' ? undefined : password.kind,
    data: {
      email,
      nickname,
      password_hash: password.stored,
      referrer_id: referrerId ?? null,
      referral_code: referralCode ?? null,
      status: row.status ?? 'active',
      created_at: createdAt,
    },
  };
}
