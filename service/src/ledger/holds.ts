/** Holds: money set aside for later. What the use cases around them share, and reading them. */
import { type Db, queryNamed, type Transaction } from '../db/index.ts';
import type { FailureCode, FailureDetails } from '../lib/failures.ts';
import { updateOverdrawn } from './apply-posting.ts';
import {
  type AccountState,
  accountKey,
  addStep,
  type BatchState,
  type HoldState,
  holdStateAfter,
  type StepKind,
} from './batch-state.ts';
import { getLedgerContext } from './ledger-context.ts';
import { lockWallets, openBatch } from './lock-accounts.ts';
import { takeShard } from './lock-batch.ts';
import { type ReferenceData, referenceOf, resolveWalletKind } from './reference-data.ts';
import { toRefusal } from './refused-keys.ts';
import type { AccountRef, Currency, Refusal, RequestKey } from './types.ts';
import { getWalletCode, readWalletId, toWalletId } from './wallet-ids.ts';

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

/** A hold as a step left it. */
export interface HoldStep {
  readonly hold: Hold;
  /** The transfer that a settled part was paid by; null of other steps. */
  readonly transferId: number | null;
}

/** `replayed`: the same request was answered before, and is answered as then. */
export type HoldResult = ({ readonly status: 'done' | 'replayed' } & HoldStep) | Refusal;

/** A hold as it is stored. */
export interface HoldRow
  extends Omit<
    Hold,
    | 'userId'
    | 'wallet'
    | 'currency'
    | 'amount'
    | 'remaining'
    | 'settled'
    | 'reversed'
    | 'businessId'
  > {
  readonly walletId: number;
  readonly currencyId: number;
  readonly businessNumber: number;
  readonly amount: string;
  readonly remaining: string;
  readonly settled: string;
  readonly reversed: string;
}

export const HOLDS = `select id, wallet_id as "walletId", currency_id as "currencyId",
  business_id as "businessNumber", amount, remaining, state,
  (select coalesce(sum(s.amount), 0) from hold_step s where s.hold_id = hold.id
    and s.kind = 'settle') as settled,
  (select coalesce(sum(t.amount), 0) from hold_step s join transfer t on t.reverses = s.transfer_id
    where s.hold_id = hold.id) as reversed,
  expires_at as "expiresAt", created_at as "createdAt", updated_at as "updatedAt", reference, remark
    from hold`;

function toHold(reference: ReferenceData, row: HoldRow): Hold {
  const { walletId, currencyId, businessNumber, ...rest } = row;
  const { userId, kindId } = readWalletId(walletId);
  const currency = reference.currenciesById.get(currencyId);
  const kind = reference.kindsById.get(kindId);
  const business = reference.businessesById.get(businessNumber);
  if (!currency || !kind || !business || userId === null)
    throw new Error(`the hold ${row.id} names what does not exist`);
  const amounts = {
    amount: BigInt(row.amount),
    remaining: BigInt(row.remaining),
    settled: BigInt(row.settled),
    reversed: BigInt(row.reversed),
  };
  return { ...rest, ...amounts, userId, wallet: kind.code, currency, businessId: business.code };
}

/** Rows as holds. */
export async function toHolds(db: Db, rows: readonly HoldRow[]): Promise<Hold[]> {
  const reference = await referenceOf(db, {
    currencies: rows.map((row) => row.currencyId),
    businesses: rows.map((row) => row.businessNumber),
    kinds: rows.map((row) => readWalletId(row.walletId).kindId),
  });
  return rows.map((row) => toHold(reference, row));
}

export async function findHold(db: Db, id: number): Promise<Hold | undefined> {
  const row = (await queryNamed<HoldRow>(db, `${HOLDS} where id = :id`, { id })).rows[0];
  return row && (await toHolds(db, [row]))[0];
}

/** Holds of a person's wallet, newest first. */
export async function listHolds(db: Db, account: AccountRef, limit: number): Promise<Hold[]> {
  const kind = (await referenceOf(db, { kinds: [getWalletCode(account)] })).kinds.get(
    getWalletCode(account),
  );
  if (!kind) throw new Error(`there is no account of the kind ${getWalletCode(account)}`);
  const { rows } = await queryNamed<HoldRow>(
    db,
    `${HOLDS} where wallet_id = :wallet_id order by id desc limit :limit`,
    { wallet_id: toWalletId(account, kind, 0), limit },
  );
  return toHolds(db, rows);
}

/** Holds that should have been released by now, in order of their ids, after one of them. */
export async function findExpired(
  db: Db,
  now: Date,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await queryNamed<{ id: number }>(
    db,
    `select id from hold where state = 'open' and expires_at <= :now and id > :after order by id
      limit :limit`,
    { now, after, limit },
  );
  return rows.map((row) => row.id);
}

interface StepRow {
  readonly hold_id: number | null;
  readonly kind: StepKind;
  readonly amount: string;
  readonly remaining: string;
  readonly transfer_id: number | null;
  readonly created_at: Date;
  readonly request_hash: string;
  readonly code: FailureCode | null;
  readonly details: FailureDetails | null;
  /** What was reversed, up to the step, of what the hold had paid out. */
  readonly reversed: string;
}

const FIND_STEP = `select s.hold_id, s.kind, s.amount, s.remaining, s.transfer_id, s.created_at,
    encode(s.request_hash, 'hex') as request_hash, null as code, null::json as details,
    (select coalesce(sum(t.amount), 0) from hold_step paid
      join transfer t on t.reverses = paid.transfer_id
      where paid.hold_id = s.hold_id and t.created_at <= s.created_at) as reversed
  from hold_step s where s.idempotency_key = $1
  union all select null, null, null, null, null, null, encode(request_hash, 'hex'), code, details,
    null from refused_posting where idempotency_key = $1
  union all select null, null, null, null, null, null, '', null, null, null from transfer
    where idempotency_key = $1
  order by hold_id nulls last`;

const CLOSING: ReadonlySet<StepKind> = new Set(['cancel', 'expire']);

/** The hold as it was after a step. */
function toHoldAfter(hold: Hold, step: StepRow): Hold {
  const remaining = BigInt(step.remaining);
  const givenBack = CLOSING.has(step.kind) ? BigInt(step.amount) : 0n;
  return {
    ...hold,
    remaining,
    settled: hold.amount - remaining - givenBack,
    reversed: BigInt(step.reversed),
    state: holdStateAfter({ kind: step.kind, remaining }),
    updatedAt: step.created_at,
  };
}

/**
 * Name of the step that gives back what remains after the settled part of the key. Keys of callers
 * have other beginnings.
 */
export const restKey = (idempotencyKey: string): string => `rest:${idempotencyKey}`;

async function findStepRow(tx: Transaction, idempotencyKey: string): Promise<StepRow | undefined> {
  return (await tx.query<StepRow>(FIND_STEP, [idempotencyKey])).rows[0];
}

/**
 * The result of the same request before, if any. A plain transfer under the key is another request.
 */
export async function findStep(
  tx: Transaction,
  { idempotencyKey, requestHash }: RequestKey,
): Promise<HoldResult | undefined> {
  const row = await findStepRow(tx, idempotencyKey);
  if (!row) return undefined;
  if (row.request_hash !== requestHash) return toRefusal('idempotency_key_reused');
  const hold = row.hold_id === null ? undefined : await findHold(tx, row.hold_id);
  if (!hold) return toRefusal(row.code, row.details);
  const rest = row.kind === 'settle' ? await findStepRow(tx, restKey(idempotencyKey)) : undefined;
  return { status: 'replayed', hold: toHoldAfter(hold, rest ?? row), transferId: row.transfer_id };
}

/** A batch on one account, with the accounts that money may go to. */
export async function openAccountBatch(
  tx: Transaction,
  currency: Currency,
  refs: readonly AccountRef[],
): Promise<{ batch: BatchState; accounts: (AccountState | undefined)[] }> {
  const { clock } = getLedgerContext(tx);
  const reference = await referenceOf(tx, { kinds: refs.map(getWalletCode) });
  const walletIn = (shard: number, ref: AccountRef): number => {
    const kind = resolveWalletKind(reference, ref);
    if (!kind) throw new Error(`there is no account of the kind ${getWalletCode(ref)}`);
    return toWalletId(ref, kind, shard);
  };
  await lockWallets(
    tx,
    refs.flatMap((ref) => ('house' in ref ? [] : [walletIn(0, ref)])),
  );
  const shard = await takeShard(tx);
  const keys = refs.map((ref) => ({
    walletId: walletIn(shard.shard, ref),
    currencyId: currency.id,
  }));
  const wanted = new Map(keys.map((key) => [accountKey(key.walletId, key.currencyId), key]));
  const batch = await openBatch(tx, { clock, shard, referenceVersion: reference.mark, wanted });
  return { batch, accounts: [...wanted.keys()].map((key) => batch.accounts.get(key)) };
}

/** Why nothing more can be done with a hold; undefined when it is open. */
export function checkOpen(hold: Hold, now: Date): FailureCode | undefined {
  if (hold.state !== 'open') return 'hold_not_open';
  return hold.expiresAt !== null && hold.expiresAt <= now ? 'hold_expired' : undefined;
}

/** Gives back what is held and closes the hold. */
export function releaseRest(
  batch: BatchState,
  account: AccountState,
  hold: Hold,
  step: RequestKey & { readonly kind: 'cancel' | 'expire' },
): void {
  account.onHold -= hold.remaining;
  account.isDirty = true;
  // What is given back may cover what the account owed.
  updateOverdrawn(account, false);
  addStep(batch, {
    ...step,
    holdId: hold.id,
    amount: hold.remaining,
    transferId: null,
    terms: null,
    remaining: 0n,
  });
}
