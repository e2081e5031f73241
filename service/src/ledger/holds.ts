/** Holds: money set aside for later. What the use cases around them share, and reading them. */
import { hash } from 'node:crypto';
import type { Db, Transaction } from '../db/index.ts';
import type { FailureCode } from '../lib/failures.ts';
import { type AccountState, accountKey, addStep, type Books, type HoldState, noteOverdraft } from './books.ts';
import { lockWallets, openBooks, takeLane } from './open-books.ts';
import { kindOf, type Reference, referenceOf } from './reference.ts';
import { settingsOf } from './settings.ts';
import type { AccountRef, Currency } from './types.ts';
import { codeOf, readWalletId, walletOf } from './wallet-ids.ts';

export interface Hold {
  readonly id: number;
  readonly userId: number;
  readonly wallet: string;
  readonly currency: Currency;
  readonly businessId: string;
  readonly amount: bigint;
  /** Still held. */
  readonly remaining: bigint;
  /** Paid out, in one part or several. */
  readonly settled: bigint;
  /** Of what was paid out: undone since, by reversing its transfers. */
  readonly reversed: bigint;
  readonly state: HoldState;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly reference: string | null;
  readonly remark: string | null;
}

export type HoldResult = { readonly status: 'done' | 'replayed'; readonly hold: Hold } | { readonly status: 'refused'; readonly code: FailureCode };

interface HoldRow extends Omit<Hold, 'userId' | 'wallet' | 'currency' | 'amount' | 'remaining' | 'settled' | 'reversed' | 'businessId'> {
  readonly walletId: number;
  readonly currencyId: number;
  readonly businessNumber: number;
  readonly amount: string;
  readonly remaining: string;
  readonly settled: string;
  readonly reversed: string;
}

const COLUMNS = `select id, wallet_id as "walletId", currency_id as "currencyId", business_id as "businessNumber", amount, remaining, state,
  (select coalesce(sum(s.amount), 0) from hold_step s where s.hold_id = hold.id and s.kind = 'settle') as settled,
  (select coalesce(sum(t.amount), 0) from hold_step s join transfer t on t.reverses = s.transfer_id where s.hold_id = hold.id) as reversed,
  expires_at as "expiresAt", created_at as "createdAt", updated_at as "updatedAt", reference, remark from hold`;

function toHold(reference: Reference, row: HoldRow): Hold {
  const { walletId, currencyId, businessNumber, ...rest } = row;
  const { userId, kindId } = readWalletId(walletId);
  const currency = reference.currenciesById.get(currencyId);
  const kind = reference.kindsById.get(kindId);
  const business = reference.businessesById.get(businessNumber);
  if (!currency || !kind || !business || userId === null) throw new Error(`the hold ${row.id} names what does not exist`);
  const amounts = { amount: BigInt(row.amount), remaining: BigInt(row.remaining), settled: BigInt(row.settled), reversed: BigInt(row.reversed) };
  return { ...rest, ...amounts, userId, wallet: kind.code, currency, businessId: business.code };
}

/** Rows as holds. */
async function toHolds(db: Db, rows: readonly HoldRow[]): Promise<Hold[]> {
  const reference = await referenceOf(db, {
    currencies: rows.map((row) => row.currencyId),
    businesses: rows.map((row) => row.businessNumber),
    kinds: rows.map((row) => readWalletId(row.walletId).kindId),
  });
  return rows.map((row) => toHold(reference, row));
}

export async function findHold(db: Db, id: number): Promise<Hold | undefined> {
  const row = (await db.query<HoldRow>(`${COLUMNS} where id = $1`, [id])).rows[0];
  return row && (await toHolds(db, [row]))[0];
}

/** Holds of a person's wallet, newest first. */
export async function listHolds(db: Db, account: AccountRef, limit: number): Promise<Hold[]> {
  const kind = (await referenceOf(db, { kinds: [codeOf(account)] })).kinds.get(codeOf(account));
  if (!kind) throw new Error(`there is no account of the kind ${codeOf(account)}`);
  const { rows } = await db.query<HoldRow>(`${COLUMNS} where wallet_id = $1 order by id desc limit $2`, [walletOf(account, kind, 0), limit]);
  return toHolds(db, rows);
}

/** Holds that should have been released by now, in order of their ids, after one of them. */
export async function findExpired(db: Db, now: Date, after: number, limit: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>("select id from hold where state = 'open' and expires_at <= $1 and id > $2 order by id limit $3", [
    now,
    after,
    limit,
  ]);
  return rows.map((row) => row.id);
}

/** What a step asks for, so that the same key with something else is noticed. Hex. */
export function hashStep(...said: readonly unknown[]): string {
  return hash(
    'sha256',
    JSON.stringify(said, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    'hex',
  ).slice(0, 32);
}

/** The answer given before under this name, if any; a plain transfer of that name agrees with no step. */
export async function findStep(tx: Transaction, idem: string, requestHash: string): Promise<HoldResult | undefined> {
  const { rows } = await tx.query<{ hold_id: number | null; request_hash: string; code: FailureCode | null }>(
    `select hold_id, encode(request_hash, 'hex') as request_hash, null as code from hold_step where idem = $1
     union all select null, encode(request_hash, 'hex'), code from refusal where idem = $1
     union all select null, '', null from transfer where idem = $1
     order by hold_id nulls last`,
    [idem],
  );
  const row = rows[0];
  if (!row) return undefined;
  if (row.request_hash !== requestHash) return { status: 'refused', code: 'idempotency_key_reused' };
  const hold = row.hold_id === null ? undefined : await findHold(tx, row.hold_id);
  return hold ? { status: 'replayed', hold } : { status: 'refused', code: row.code ?? 'internal_error' };
}

/** The books on one account, with the accounts that money may go to. */
export async function openAccountBooks(
  tx: Transaction,
  currency: Currency,
  refs: readonly AccountRef[],
): Promise<{ books: Books; accounts: (AccountState | undefined)[] }> {
  const { clock } = settingsOf(tx);
  const reference = await referenceOf(tx, { kinds: refs.map(codeOf) });
  const walletIn = (lane: number, ref: AccountRef): number => {
    const kind = kindOf(reference, ref);
    if (!kind) throw new Error(`there is no account of the kind ${codeOf(ref)}`);
    return walletOf(ref, kind, lane);
  };
  await lockWallets(
    tx,
    refs.flatMap((ref) => ('house' in ref ? [] : [walletIn(0, ref)])),
  );
  const lane = await takeLane(tx);
  const keys = refs.map((ref) => ({ walletId: walletIn(lane.lane, ref), currencyId: currency.id }));
  const wanted = new Map(keys.map((key) => [accountKey(key.walletId, key.currencyId), key]));
  const books = await openBooks(tx, clock, { lane, referenceMark: reference.mark }, wanted);
  return { books, accounts: [...wanted.keys()].map((key) => books.accounts.get(key)) };
}

/** Why nothing more can be done with a hold; undefined when it is open. */
export function checkOpen(hold: Hold, now: Date): FailureCode | undefined {
  if (hold.state !== 'open') return 'hold_not_open';
  return hold.expiresAt !== null && hold.expiresAt <= now ? 'hold_expired' : undefined;
}

/** Gives back what is held and closes the hold. */
export function releaseRest(books: Books, account: AccountState, hold: Hold, step: { kind: 'cancel' | 'expire'; idem: string; requestHash: string }): void {
  account.held -= hold.remaining;
  account.isTouched = true;
  // What is given back may be what the account owed.
  noteOverdraft(account, false);
  const state = step.kind === 'cancel' ? 'cancelled' : 'expired';
  addStep(books, { ...step, holdId: hold.id, amount: hold.remaining, transferId: null, terms: null, after: { remaining: 0n, state } });
}
