/** Locks what a batch touches, always in the same order: a lane, then the accounts by wallet and currency. */
import type { Db, Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { FailureCode } from '../lib/failures.ts';
import { anyLength, plainArray, textArray } from './arrays.ts';
import { type AccountState, accountKey, type Books, type Lane } from './books.ts';
import { LANES, readWalletId } from './wallet-ids.ts';

interface LaneRow extends Omit<Lane, 'mac'> {
  readonly mac: Buffer;
}

const LANE_COLUMNS = 'select lane, seals, transfers, steps, mac from ledger_lane';
const FREE_LANE = `${LANE_COLUMNS} order by lane limit 1 for no key update skip locked`;
const ONE_LANE = `${LANE_COLUMNS} where lane = $1 for no key update`;

/** Takes a lane that nobody posts in; when all are taken, waits for one. The transaction keeps it. */
export async function takeLane(tx: Transaction): Promise<Lane> {
  const free = (await tx.prepared<LaneRow>('ledger_free_lane', FREE_LANE)).rows[0];
  if (free) return free;
  const any = (await tx.prepared<LaneRow>('ledger_one_lane', ONE_LANE, [Math.floor(Math.random() * LANES)])).rows[0];
  if (!any) throw new Error('the ledger has no lanes');
  return any;
}

/** What one statement locks and finds for a batch. */
export interface Prepared {
  readonly lane: Lane;
  readonly rows: readonly AccountRow[];
  /** Names of the batch that were answered before; as of the statement's start, so `writeBooks` makes sure. */
  readonly answered: readonly AnsweredRow[];
}

export interface AnsweredRow {
  readonly idem: string;
  readonly id: number | null;
  /** Hex. */
  readonly hash: string;
  readonly code: FailureCode | null;
}

/** The lateral form asks the index once per name, whatever the planner believes of a table that grows so fast. */
const ANSWERED = `select k.* from unnest(${anyLength('$3::text[]')}) as n (idem) cross join lateral (
    (select idem, id, encode(request_hash, 'hex') as hash, null as code from transfer where idem = n.idem limit 1)
    union all (select idem, null, encode(request_hash, 'hex'), code from refusal where idem = n.idem limit 1)
  ) k`;

/** All of them, said so that the planner expects few rows of a wallet before it has statistics, and takes them off the index in their order. */
const ANY_CURRENCY = 'currency_id between 0 and 32767';

/** A lane, the accounts and the past of a batch, in one round trip. The house's wallets follow from the lane. */
const PREPARE = `with lane as materialized (${FREE_LANE}),
  wanted as (
    select row_number() over () as n, wallet_id from (
      select wallet_id from unnest(${anyLength('$1::bigint[]')}) as u (wallet_id)
      union all select -(h.kind_id * ${LANES} + lane.lane + 1) from lane, unnest(${anyLength('$2::smallint[]')}) as h (kind_id)
    ) w
  )
  select
    case when w.n = 1 then json_build_object('lane', lane.lane, 'seals', lane.seals, 'transfers', lane.transfers, 'steps', lane.steps, 'mac', encode(lane.mac, 'hex')) end as lane,
    case when w.n = 1 then (select json_agg(x) from (${ANSWERED}) x) end as answered, a.*
  from lane cross join wanted w left join lateral (
    select wallet_id, currency_id, user_id, guarded, overdrawn, seq, posted_at, debits, credits, held, deposited, withdrawn
    from account where account.wallet_id = w.wallet_id and ${ANY_CURRENCY} order by currency_id for no key update
  ) a on true`;

interface PreparedRow extends Omit<AccountRow, 'wallet_id'> {
  readonly lane: (Omit<Lane, 'mac'> & { readonly mac: string }) | null;
  readonly answered: AnsweredRow[] | null;
  readonly wallet_id: number | null;
}

/** @param userWallets ids of people's wallets; @param houseKinds kinds of the house's wallets; @param idems names of the postings */
export async function prepare(tx: Transaction, userWallets: Iterable<number>, houseKinds: Iterable<number>, idems: readonly string[]): Promise<Prepared> {
  const values = [plainArray([...userWallets].sort((a, b) => a - b)), plainArray([...houseKinds]), textArray(idems)];
  for (;;) {
    const { rows } = await tx.prepared<PreparedRow>('ledger_prepare', PREPARE, values);
    const first = rows.find((row) => row.lane !== null);
    if (first?.lane) {
      return {
        lane: { ...first.lane, mac: Buffer.from(first.lane.mac, 'hex') },
        rows: rows.filter((row) => row.wallet_id !== null) as readonly AccountRow[],
        answered: first.answered ?? [],
      };
    }
    // Every lane is taken: wait for one, then there is one.
    await tx.prepared('ledger_one_lane', ONE_LANE, [Math.floor(Math.random() * LANES)]);
  }
}

/** An account that a batch needs. */
export interface Wanted {
  readonly walletId: number;
  readonly currencyId: number;
}

export interface AccountRow {
  readonly wallet_id: number;
  readonly currency_id: number;
  readonly user_id: number | null;
  readonly guarded: boolean;
  readonly overdrawn: boolean;
  readonly seq: number;
  readonly posted_at: Date;
  readonly debits: string;
  readonly credits: string;
  readonly held: string;
  readonly deposited: string;
  readonly withdrawn: string;
}

/**
 * Locks every account of the wallets, in its own statement: waiting inside a larger one would not refresh its
 * snapshot. The other currencies of a wallet are locked too, because all its entries stand in one order. The wallets
 * come sorted, and the lateral form takes them one by one in that order whatever the planner knows of the table.
 */
const LOCK = `select a.* from unnest(${anyLength('$1::bigint[]')}) as w (wallet_id) cross join lateral (
    select wallet_id, currency_id, user_id, guarded, overdrawn, seq, posted_at, debits, credits, held, deposited, withdrawn
    from account where account.wallet_id = w.wallet_id and ${ANY_CURRENCY} order by currency_id for no key update
  ) a`;

const OPEN = `insert into account (wallet_id, currency_id, user_id, kind_id, guarded)
  select w.wallet_id, w.currency_id, w.user_id, w.kind_id, w.user_id is not null
  from unnest(${anyLength('$1::bigint[]')}, $2::smallint[], $3::bigint[], $4::smallint[]) as w (wallet_id, currency_id, user_id, kind_id)
  where w.user_id is null or exists (select from app_user u where u.id = w.user_id)
  order by w.wallet_id, w.currency_id
  on conflict (wallet_id, currency_id) do nothing`;

/** Opens accounts with zero in them; harmless when they exist. Accounts of users that do not exist are left out. */
export async function openWanted(db: Db, wanted: readonly Wanted[]): Promise<void> {
  const owners = wanted.map(({ walletId }) => readWalletId(walletId));
  await db.prepared('ledger_open', OPEN, [
    plainArray(wanted.map((account) => account.walletId)),
    plainArray(wanted.map((account) => account.currencyId)),
    plainArray(owners.map((owner) => owner.userId)),
    plainArray(owners.map((owner) => owner.kindId)),
  ]);
}

function toState(row: AccountRow): AccountState {
  return {
    walletId: row.wallet_id,
    currencyId: row.currency_id,
    userId: row.user_id,
    guarded: row.guarded,
    overdrawn: row.overdrawn,
    seq: row.seq,
    debits: BigInt(row.debits),
    credits: BigInt(row.credits),
    held: BigInt(row.held),
    deposited: BigInt(row.deposited),
    withdrawn: BigInt(row.withdrawn),
    isTouched: false,
  };
}

async function lock(tx: Transaction, wallets: readonly number[]): Promise<AccountRow[]> {
  return (await tx.prepared<AccountRow>('ledger_lock', LOCK, [plainArray(wallets)])).rows;
}

/** Opens the books of a batch on the accounts it wants. `locked`: what `prepare` has locked of them. */
export async function openBooks(
  tx: Transaction,
  clock: Clock,
  lane: Lane,
  wanted: ReadonlyMap<string, Wanted>,
  locked?: readonly AccountRow[],
): Promise<Books> {
  const walletIds = [...new Set([...wanted.values()].map((account) => account.walletId))].sort((a, b) => a - b);
  let rows = locked ?? (await lock(tx, walletIds));
  const have = new Set(rows.map((row) => accountKey(row.wallet_id, row.currency_id)));
  const missing = [...wanted.values()].filter((account) => !have.has(accountKey(account.walletId, account.currencyId)));
  if (missing.length > 0) {
    await openWanted(tx, missing);
    rows = await lock(tx, walletIds);
  }
  const books: Books = {
    lane,
    accounts: new Map(rows.map((row) => [accountKey(row.wallet_id, row.currency_id), toState(row)])),
    wallets: new Map(),
    createdAt: new Date(rows.reduce((latest, row) => Math.max(latest, row.posted_at.getTime()), clock.now().getTime())),
    transfers: [],
    steps: [],
    earnings: new Map(),
    refusals: [],
  };
  for (const row of rows) {
    const wallet = books.wallets.get(row.wallet_id);
    if (wallet) wallet.position += row.seq;
    else books.wallets.set(row.wallet_id, { position: row.seq });
  }
  return books;
}
