/** One batch: names resolved, accounts locked, each item judged, everything written. */
import { type Database, type Transaction, transaction } from '../db/index.ts';
import type { FailureCode } from '../lib/failures.ts';
import { plainArray } from './arrays.ts';
import { accountKey, type Books, checkMovement, type Movement, move } from './books.ts';
import { relyOnKnown, restFromKnown, takeKnown } from './known-books.ts';
import { type AnsweredRow, openBooks, prepare } from './open-books.ts';
import { type Reference, referenceOf } from './reference.ts';
import { ANY_REQUEST } from './refuse-names.ts';
import { findTouched, hashPosting, type InnerPosting, type Item, resolve, type Touched, wantedAccounts } from './resolve-postings.ts';
import { settingsOf } from './settings.ts';
import type { Posting, PostResult } from './types.ts';
import { codeOf } from './wallet-ids.ts';
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
  /** The same batch failed before, because somebody else wrote meanwhile. */
  readonly isRetry?: boolean;
}

export const BATCH_MAX = 1000;

function refuse(code: FailureCode): PostResult {
  return { status: 'refused', code };
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

/** Two who use a name for different postings at the same moment may be answered both ways: what moved is what the name stands for. */
function toPast(answered: readonly AnsweredRow[]): Map<string, Answered> {
  const refusedFirst = answered.toSorted((one, other) => Number(one.id !== null) - Number(other.id !== null));
  return new Map(
    refusedFirst.map(({ idem, id, hash: requestHash, code }) => [
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

/**
 * Refusals that may be otherwise later: the state of the books made them, or nobody had that id yet, which somebody may be
 * given. A wrong name or amount is refused the same way each time without being noted.
 */
const NOTED: ReadonlySet<FailureCode> = new Set(['insufficient_funds', 'balance_too_large', 'counter_negative', 'unknown_user']);

/** What the batch was told before it began. */
interface Past {
  readonly answered: Map<string, Answered>;
  readonly reversed: Set<number>;
}

function postOne(reference: Reference, books: Books, { answered, reversed }: Past, item: Item): PostResult {
  const known = answered.get(item.posting.idem);
  if (known) return known.hash === item.requestHash || known.hash === ANY_REQUEST ? known.result : refuse('idempotency_key_reused');
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

/** What is left to write of a batch that is refused as a whole: that it is. */
function closeRefused(books: Books): Books {
  const refusals = books.transfers.map(({ idem, requestHash }) => ({ idem, requestHash, code: 'batch_refused' as const }));
  return { ...books, transfers: [], earnings: new Map(), refusals: [...books.refusals, ...refusals] };
}

const NO_PAST: () => Past = () => ({ answered: new Map(), reversed: new Set() });

/**
 * Posts without asking, on books that this process remembers; undefined when it does not, or when it would have to refuse
 * anything: that is for those who have looked and locked.
 */
async function postOnKnown(
  tx: Transaction,
  reference: Reference,
  postings: readonly InnerPosting[],
  { userWallets, houseKinds }: Touched,
): Promise<PostResult[] | undefined> {
  const { clock, sealKey } = settingsOf(tx);
  const books = takeKnown(tx, { referenceMark: reference.mark, now: clock.now(), userWallets, houseKinds });
  if (!books) return undefined;
  const past = NO_PAST();
  const results: PostResult[] = [];
  for (const posting of postings) {
    const item = resolve(reference, posting, hashPosting(posting), books.lane.lane);
    const result = typeof item === 'string' ? refuse(item) : postOne(reference, books, past, item);
    if (result.status !== 'posted') return undefined;
    results.push(result);
  }
  relyOnKnown(tx);
  await writeBooks(tx, sealKey, books, { isLast: true });
  return results;
}

/** Posts on accounts that it locks and reads first. */
async function postOnLocked(
  tx: Transaction,
  reference: Reference,
  postings: readonly InnerPosting[],
  { userWallets, houseKinds }: Touched,
  { atomic = false, staysRefused = false, isLast = false, isRetry = false }: BatchOptions,
): Promise<PostResult[]> {
  const { clock, sealKey } = settingsOf(tx);
  const prepared = prepare(
    tx,
    userWallets,
    houseKinds,
    postings.map((posting) => posting.idem),
  );
  // Hashed while the database locks.
  const hashes = postings.map(hashPosting);
  const { lane, rows, answered } = await prepared;
  if (isRetry) restFromKnown(tx, answered.length === 0);
  const items = postings.map((posting, i) => resolve(reference, posting, hashes[i] ?? '', lane.lane));
  const past = { answered: toPast(answered), reversed: await findReversed(tx, postings) };
  const open = items.filter((item) => typeof item !== 'string' && !past.answered.has(item.posting.idem));
  const books = await openBooks(tx, clock, { lane, referenceMark: reference.mark }, wantedAccounts(open), rows);
  const results = items.map((item) => (typeof item === 'string' ? refuse(item) : postOne(reference, books, past, item)));
  if (atomic && results.some((result) => result.status === 'refused')) {
    if (staysRefused) await writeBooks(tx, sealKey, closeRefused(books));
    return results.map((result) => (result.status === 'posted' ? refuse('batch_refused') : result));
  }
  await writeBooks(tx, sealKey, books, { isLast });
  return results;
}

/** Posts in a transaction that is open. */
export async function postBatch(tx: Transaction, postings: readonly InnerPosting[], options: BatchOptions = {}): Promise<PostResult[]> {
  if (postings.length === 0) return [];
  if (postings.length > BATCH_MAX) throw new RangeError(`a batch holds at most ${BATCH_MAX} postings`);
  const reference = await referenceOf(tx, {
    currencies: postings.map((posting) => posting.currency),
    businesses: postings.map((posting) => posting.businessId),
    kinds: postings.flatMap(({ debit, credit }) => [codeOf(debit), codeOf(credit)]),
  });
  const touched = findTouched(reference, postings);
  const isPlain = options.isLast === true && options.atomic !== true && !options.isRetry;
  return (isPlain ? await postOnKnown(tx, reference, postings, touched) : undefined) ?? postOnLocked(tx, reference, postings, touched, options);
}

/** Posts in a transaction of its own, of which nothing else is part. */
export function postBatchAlone(database: Database, postings: readonly Posting[], options: PostOptions = {}): Promise<PostResult[]> {
  let tries = 0;
  return transaction(database, (tx) => postBatch(tx, postings, { ...options, isLast: true, isRetry: tries++ > 0 }));
}
