/** One batch: names resolved, accounts locked, each item judged, everything written. */
import { hash } from 'node:crypto';
import type { Transaction } from '../db/index.ts';
import type { FailureCode } from '../lib/failures.ts';
import { plainArray } from './arrays.ts';
import { accountKey, type Books, checkMovement, type Movement, move } from './books.ts';
import { type AnsweredRow, openBooks, type Prepared, prepare, type Wanted } from './open-books.ts';
import { type Reference, referenceOf } from './reference.ts';
import { settingsOf } from './settings.ts';
import type { AccountRef, Posting, PostResult, WalletKind } from './types.ts';
import { codeOf, walletOf } from './wallet-ids.ts';
import { writeBooks } from './write-books.ts';

export interface PostOptions {
  /** All or nothing: one refusal refuses all. Default: each item has its own fate. */
  readonly atomic?: boolean;
  /** Of an atomic batch that is refused: none of its names is ever posted by a later try. Default: its names stay free. */
  readonly staysRefused?: boolean;
}

export interface BatchOptions extends PostOptions {
  /** Nothing follows in the transaction: the batch may fail with the commit, after this has returned. */
  readonly isLast?: boolean;
}

/** What only the ledger itself may add to a posting. */
export interface InnerPosting extends Posting {
  /** The transfer that it undoes. */
  readonly reverses?: number;
}

export const BATCH_MAX = 1000;
/** 16 bytes are kept. */
const HASH_DIGITS = 32;

function refOf(ref: AccountRef): string {
  return 'house' in ref ? ref.house : `${ref.userId}/${ref.wallet}`;
}

/** What a posting asks for, so that the same key with something else is noticed. Hex. */
export function hashPosting(p: InnerPosting): string {
  const said = [
    refOf(p.debit),
    refOf(p.credit),
    p.currency,
    String(p.amount),
    p.businessId,
    p.isTimeDefault ? null : p.eventAt.getTime(),
    p.rewardType,
    p.nodeId,
  ];
  return hash('sha256', JSON.stringify([...said, p.reference, p.remark, p.mayOverdraw === true, p.reverses]), 'hex').slice(0, HASH_DIGITS);
}

function refuse(code: FailureCode): PostResult {
  return { status: 'refused', code };
}

/** A posting with its names resolved, or why it has none. */
interface Item {
  readonly posting: InnerPosting;
  readonly requestHash: string;
  readonly debit: Wanted;
  readonly credit: Wanted;
}

function kindOf(reference: Reference, ref: AccountRef): WalletKind | undefined {
  const kind = reference.kinds.get(codeOf(ref));
  return kind?.isHouse === 'house' in ref ? kind : undefined;
}

function resolve(reference: Reference, posting: InnerPosting, requestHash: string, lane: number): Item | FailureCode {
  const currency = reference.currencies.get(posting.currency);
  if (!currency) return 'unknown_currency';
  if (!reference.businesses.has(posting.businessId)) return 'unknown_business';
  const [debitKind, creditKind] = [kindOf(reference, posting.debit), kindOf(reference, posting.credit)];
  if (!debitKind || !creditKind) return 'unknown_wallet';
  return {
    posting,
    requestHash,
    debit: { walletId: walletOf(posting.debit, debitKind, lane), currencyId: currency.id },
    credit: { walletId: walletOf(posting.credit, creditKind, lane), currencyId: currency.id },
  };
}

/** Takes a lane and locks the accounts of a batch. */
async function prepareBatch(tx: Transaction, reference: Reference, postings: readonly InnerPosting[]): Promise<Prepared> {
  const wallets = new Set<number>();
  const houseKinds = new Set<number>();
  for (const { debit, credit } of postings) {
    for (const ref of [debit, credit]) {
      const kind = kindOf(reference, ref);
      if (!kind) continue;
      if (kind.isHouse) houseKinds.add(kind.id);
      else wallets.add(walletOf(ref, kind, 0));
    }
  }
  return prepare(
    tx,
    wallets,
    houseKinds,
    postings.map((posting) => posting.idem),
  );
}

interface Answered {
  readonly hash: string;
  readonly result: PostResult;
}

const REVERSED = 'select reverses from transfer where reverses = any($1::bigint[])';

/** Which of the transfers that the batch would undo are undone already. */
async function findReversed(tx: Transaction, postings: readonly InnerPosting[]): Promise<Set<number>> {
  const asked = postings.flatMap((posting) => posting.reverses ?? []);
  if (asked.length === 0) return new Set();
  const { rows } = await tx.query<{ reverses: number }>(REVERSED, [plainArray(asked)]);
  return new Set(rows.map((row) => row.reverses));
}

function toPast(answered: readonly AnsweredRow[]): Map<string, Answered> {
  return new Map(
    answered.map(({ idem, id, hash: requestHash, code }) => [
      idem,
      { hash: requestHash, result: id !== null ? { status: 'replayed', transferId: id } : refuse(code ?? 'internal_error') },
    ]),
  );
}

function toMovement(reference: Reference, books: Books, { posting, requestHash, debit, credit }: Item): Movement | FailureCode {
  const debitAccount = books.accounts.get(accountKey(debit.walletId, debit.currencyId));
  const creditAccount = books.accounts.get(accountKey(credit.walletId, credit.currencyId));
  const currency = reference.currencies.get(posting.currency);
  const business = reference.businesses.get(posting.businessId);
  if (!debitAccount || !creditAccount) return 'unknown_user';
  if (!currency || !business) return 'unknown_currency';
  return { ...posting, debit: debitAccount, credit: creditAccount, currency, business, requestHash, mayOverdraw: posting.mayOverdraw === true };
}

/** Refusals that the state of the books made; a wrong name or amount is refused the same way each time without being noted. */
const NOTED: ReadonlySet<FailureCode> = new Set(['insufficient_funds', 'balance_too_large', 'counter_negative']);

/** What the batch was told before it began. */
interface Past {
  readonly answered: Map<string, Answered>;
  readonly reversed: Set<number>;
}

function postOne(reference: Reference, books: Books, { answered, reversed }: Past, item: Item): PostResult {
  const known = answered.get(item.posting.idem);
  if (known) return known.hash === item.requestHash ? known.result : refuse('idempotency_key_reused');
  const { reverses } = item.posting;
  if (reverses !== undefined && reversed.has(reverses)) return refuse('already_reversed');
  const movement = toMovement(reference, books, item);
  const code = typeof movement === 'string' ? movement : checkMovement(movement);
  const result: PostResult =
    code !== undefined || typeof movement === 'string' ? refuse(code ?? 'internal_error') : { status: 'posted', transferId: move(books, movement) };
  if (result.status === 'posted' && reverses !== undefined) reversed.add(reverses);
  if (result.status === 'posted') answered.set(item.posting.idem, { hash: item.requestHash, result: { ...result, status: 'replayed' } });
  else if (result.status === 'refused' && NOTED.has(result.code)) {
    books.refusals.push({ idem: item.posting.idem, requestHash: item.requestHash, code: result.code });
    answered.set(item.posting.idem, { hash: item.requestHash, result });
  }
  return result;
}

function wantedAccounts(items: readonly (Item | FailureCode)[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const item of items) {
    if (typeof item === 'string') continue;
    for (const account of [item.debit, item.credit]) wanted.set(accountKey(account.walletId, account.currencyId), account);
  }
  return wanted;
}

/** What is left to write of a batch that is refused as a whole: that it is. */
function closeRefused(books: Books): Books {
  const refusals = books.transfers.map(({ idem, requestHash }) => ({ idem, requestHash, code: 'batch_refused' as const }));
  return { ...books, transfers: [], earnings: new Map(), refusals: [...books.refusals, ...refusals] };
}

/** Posts in a transaction that is open. */
export async function postBatch(
  tx: Transaction,
  postings: readonly InnerPosting[],
  { atomic = false, staysRefused = false, isLast = false }: BatchOptions = {},
): Promise<PostResult[]> {
  if (postings.length === 0) return [];
  if (postings.length > BATCH_MAX) throw new RangeError(`a batch holds at most ${BATCH_MAX} postings`);
  const { clock, sealKey } = settingsOf(tx);
  const reference = await referenceOf(tx, {
    currencies: postings.map((posting) => posting.currency),
    businesses: postings.map((posting) => posting.businessId),
    kinds: postings.flatMap(({ debit, credit }) => [codeOf(debit), codeOf(credit)]),
  });
  const prepared = prepareBatch(tx, reference, postings);
  // Hashed while the database locks.
  const hashes = postings.map(hashPosting);
  const { lane, rows, answered } = await prepared;
  const items = postings.map((posting, i) => resolve(reference, posting, hashes[i] ?? '', lane.lane));
  const books = await openBooks(tx, clock, lane, wantedAccounts(items), rows);
  const past = { answered: toPast(answered), reversed: await findReversed(tx, postings) };
  const results = items.map((item) => (typeof item === 'string' ? refuse(item) : postOne(reference, books, past, item)));
  if (atomic && results.some((result) => result.status === 'refused')) {
    if (staysRefused) await writeBooks(tx, sealKey, closeRefused(books));
    return results.map((result) => (result.status === 'posted' ? refuse('batch_refused') : result));
  }
  await writeBooks(tx, sealKey, books, { isLast });
  return results;
}
