/**
 * What the money routes of operators share: accounts, amounts and instants as a body writes them.
 */

import Type, { type Static } from 'typebox';
import { DecimalInput, Id, Timestamp } from '../http/index.ts';
import type { AccountRef, Currency, Posting, PostResult, ReferenceData } from '../ledger/index.ts';
import { Failure, type FailureCode, failure, fieldError } from '../lib/failures.ts';
import { AMOUNT_MAX, formatAmount, parseAmount } from '../lib/money.ts';
import { POSTING_TEXT, TEXT_MAX } from '../lib/text-limits.ts';

export const CODE_MAX = 32;

export const CurrencyCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Currency code.',
});

/**
 * Kinds of wallets and accounts of the house are data: which there are is looked up, not written
 * here.
 */
export const AccountFields = {
  wallet: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CODE_MAX,
      description: "The person's wallet: `asset`, `bonus`, or another that was added.",
    }),
  ),
  house: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CODE_MAX,
      description:
        'An account of the house, instead of a person, for example `adjustment`; `GET ' +
        '/operator/wallets` lists them.',
    }),
  ),
};

export const AccountInput = Type.Object(
  { user_id: Type.Optional(Id('A person; with `wallet`.')), ...AccountFields },
  { additionalProperties: false, description: 'An account: `user_id` and `wallet`, or `house`.' },
);

/**
 * Short text of a business server: printable, without control characters and those that turn the
 * reading direction around.
 */
export function TextInput(description: string, maxLength: number = TEXT_MAX.reference) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: POSTING_TEXT,
    description,
  });
}

/** An amount of one posting: see `toAmount`. */
export function AmountInput(description: string) {
  return DecimalInput(
    `${description} Above 0, at most 10^40 minor units, no more decimals than the currency has.`,
  );
}

export const PostingFields = {
  currency: CurrencyCode,
  amount: AmountInput('How much.'),
  event_at: Type.Optional(
    Timestamp('When it happened or was earned; default: now. Not in the future.'),
  ),
  node_id: Type.Optional(TextInput('The device that earned it.', TEXT_MAX.nodeId)),
  remark: Type.Optional(TextInput('Shown in the bill.', TEXT_MAX.remark)),
  reference: Type.Optional(TextInput("The business server's own reference, shown in the bill.")),
};

export const RewardType = Type.String({
  maxLength: 32,
  pattern: '^[A-Z][A-Z0-9_]{0,31}$',
  description: 'Reward type, for example `UPTIME`; every earning has one.',
});

/** @throws `invalid_parameter` with the list of what is there */
function checkKind(names: ReferenceData, code: string, isHouse: boolean, field: string): void {
  if (names.kinds.get(code)?.isHouse === isHouse) return;
  const known = [...names.kinds.values()]
    .filter((kind) => kind.isHouse === isHouse)
    .map((kind) => kind.code);
  throw fieldError(field, 'unknown_wallet', `must be one of ${known.join(', ')}`);
}

/**
 * An account among what is known.
 * @param within of the account in the body, with a dot at its end; empty in a query
 * @throws `invalid_parameter`
 */
export function accountIn(
  names: ReferenceData,
  within: string,
  input: Static<typeof AccountInput>,
): AccountRef {
  const { user_id, wallet, house } = input;
  if (house !== undefined && user_id === undefined && wallet === undefined) {
    checkKind(names, house, true, `${within}house`);
    return { house };
  }
  if (house === undefined && user_id !== undefined && wallet !== undefined) {
    checkKind(names, wallet, false, `${within}wallet`);
    return { userId: user_id, wallet };
  }
  throw fieldError(
    within === '' ? 'userId' : within.slice(0, -1),
    'ambiguous',
    'must be either user_id and wallet, or house',
  );
}

/**
 * The amount of one posting. @throws `invalid_parameter` unless it is above 0 and at most 10^40
 * minor units
 */
export function toAmount(text: string, { scale }: Pick<Currency, 'scale'>): bigint {
  const amount = parseAmount(text, scale);
  if (amount <= 0n) throw fieldError('amount', 'not_positive', 'must be above 0');
  if (amount > AMOUNT_MAX)
    throw fieldError('amount', 'too_large', `must be at most ${formatAmount(AMOUNT_MAX, scale)}`);
  return amount;
}

const AHEAD_MS = 60_000;
const EARLIEST = new Date('2000-01-01T00:00:00Z');

/**
 * When it happened; by default now, which is then no part of what was asked. @throws
 * `invalid_parameter` for an instant in the future or before 2000
 */
export function toEventTime(
  text: string | undefined,
  now: Date,
): Pick<Posting, 'eventAt' | 'isTimeDefault'> {
  if (text === undefined) return { eventAt: now, isTimeDefault: true };
  const instant = new Date(text);
  if (instant.getTime() > now.getTime() + AHEAD_MS)
    throw fieldError('event_at', 'in_future', 'is in the future');
  if (instant < EARLIEST) throw fieldError('event_at', 'too_early', 'is before the year 2000');
  return { eventAt: instant };
}

/** The ids of what was posted together. @throws why it was refused */
export function requireTransferIds(results: readonly PostResult[]): number[] {
  const refusals = results.flatMap((result) => (result.status === 'refused' ? [result.code] : []));
  const code = refusals.find((refusal) => refusal !== 'batch_refused') ?? refusals[0];
  if (code) throw failure(code);
  return results.flatMap((result) => (result.status === 'refused' ? [] : [result.transferId]));
}

/** A refusal as a value. @throws what is none */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** What `read` returns, or the refusal that it throws. @throws what is not a refusal */
export function toResult<T>(read: () => T): T | Failure {
  try {
    return read();
  } catch (error) {
    return asFailure(error);
  }
}

/** Why one item of a batch was refused. */
export function describeFailure({ code, details, message }: Failure): {
  code: FailureCode;
  detail: string;
} {
  return {
    code,
    detail: details.fields?.map((f) => `${f.field} ${f.message}`).join('; ') ?? message,
  };
}
