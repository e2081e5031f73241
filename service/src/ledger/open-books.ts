/** Locks what a batch touches, always in the same order: the accounts of people by wallet and currency, a lane, the lane's accounts of the house. */
import { setTimeout } from 'node:timers/promises';
import type { Db, Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { FailureCode } from '../lib/failures.ts';
import { anyLength, plainArray, textArray } from './arrays.ts';
import { type AccountState, accountKey, type Books, type Lane, newBooks } from './books.ts';
import { firstLaneOf, forget } from './known-books.ts';
import { LANES, readWalletId } from './wallet-ids.ts';
import { toRace } from './write-books.ts';

interface LaneRow extends Omit<Lane, 'mac'> {
  readonly mac: Buffer;
}

/** The first free one from a lane on, round about. */
const freeLane = (first: string): string =>
  `select lane, seals, transfers, steps, mac from ledger_lane order by (lane - ${first} + ${LANES}) % ${LANES} limit 1 for no key update skip locked`;
const FREE_LANE = freeLane('$1::smallint');
/** Between two looks for a free lane, when all are taken, at most. */
const LANE_PAUSE_MS = 10;

/** No queue at one lane: whoever has that one may keep it for long while others become free. */
const pauseForLane = (): Promise<void> => setTimeout(Math.ceil(Math.random() * LANE_PAUSE_MS));

/**
 * Takes a lane that nobody posts in; when all are taken, waits for one. The transaction keeps it. It is taken once all
 * people's accounts are locked: whoever waits for an account must not keep others from posting.
 */
export async function takeLane(tx: Transaction): Promise<Lane> {
  for (;;) {
    const [free] = (await tx.prepared<LaneRow>('ledger_free_lane', FREE_LANE, [firstLaneOf(tx)])).rows;
    if (free) return free;
    await pauseForLane();
  }
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

const ACCOUNT_COLUMNS = 'wallet_id, currency_id, user_id, guarded, overdrawn, closed, seq, posted_at, debits, credits, held, deposited, withdrawn, version';

/** Locks all accounts of a wallet. The lateral form takes the wallets one by one in their order, whatever the planner knows of the table. */
const lockWallet = (wallet: string): string => `lateral (
    select ${ACCOUNT_COLUMNS} from account where account.wallet_id = ${wallet} and ${ANY_CURRENCY} order by currency_id for no key update
  ) a`;

/** The accounts of people, a lane once these are locked, the lane's accounts of the house, and the past of a batch, in one round trip. */
const PREPARE = `with people as materialized (
    select a.* from unnest(${anyLength('$1::bigint[]')}) as w (wallet_id) cross join ${lockWallet('w.wallet_id')}
  ), lane as materialized (
    select l.* from (select count(*) as accounts from people) p cross join lateral (
      ${freeLane('$4::smallint').replace('order by', 'where p.accounts >= 0 order by')}
    ) l
  ), house as materialized (
    select a.* from lane cross join unnest(${anyLength('$2::smallint[]')}) as h (kind_id) cross join ${lockWallet(`-(h.kind_id * ${LANES} + lane.lane + 1)`)}
  ), found as (
    select json_build_object('lane', lane.lane, 'seals', lane.seals, 'transfers', lane.transfers, 'steps', lane.steps, 'mac', encode(lane.mac, 'hex')) as lane,
      (select json_agg(x) from (${ANSWERED}) x) as answered
    from lane
  )
  select null::json as lane, null::json as answered, * from people
  union all select null, null, * from house
  union all select lane, answered, ${ACCOUNT_COLUMNS.replace(/\w+/g, 'null')} from found`;

interface PreparedRow extends Omit<AccountRow, 'wallet_id'> {
  readonly lane: (Omit<Lane, 'mac'> & { readonly mac: string }) | null;
  readonly answered: AnsweredRow[] | null;
  readonly wallet_id: number | null;
}

/** @param userWallets ids of people's wallets; @param houseKinds kinds of the house's wallets; @param idems names of the postings */
export async function prepare(tx: Transaction, userWallets: Iterable<number>, houseKinds: Iterable<number>, idems: readonly string[]): Promise<Prepared> {
  const values = [plainArray([...userWallets].sort((a, b) => a - b)), plainArray([...houseKinds]), textArray(idems), firstLaneOf(tx)];
  for (;;) {
    const { rows } = await tx.prepared<PreparedRow>('ledger_prepare', PREPARE, values);
    const found = rows.find((row) => row.lane !== null);
    if (found?.lane) {
      return {
        lane: { ...found.lane, mac: Buffer.from(found.lane.mac, 'hex') },
        rows: rows.filter((row) => row.wallet_id !== null) as readonly AccountRow[],
        answered: found.answered ?? [],
      };
    }
    await pauseForLane();
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
  readonly closed: boolean;
  readonly seq: number;
  readonly posted_at: Date;
  readonly debits: string;
  readonly credits: string;
  readonly held: string;
  readonly deposited: string;
  readonly withdrawn: string;
  readonly version: number;
}

/**
 * Locks every account of the wallets, in its own statement: waiting inside a larger one would not refresh its
 * snapshot. The other currencies of a wallet are locked too, because all its entries stand in one order.
 */
const LOCK = `select a.* from unnest(${anyLength('$1::bigint[]')}) as w (wallet_id) cross join ${lockWallet('w.wallet_id')}`;

/** Waits for a person who is just closing theirs: what is opened afterwards is closed, and what was opened before is seen by whoever closes. */
const OPEN = `insert into account (wallet_id, currency_id, user_id, kind_id, guarded, closed)
  select w.wallet_id, w.currency_id, w.user_id, w.kind_id, w.user_id is not null, coalesce(owner.status = 'closed', false)
  from unnest(${anyLength('$1::bigint[]')}, $2::smallint[], $3::bigint[], $4::smallint[]) as w (wallet_id, currency_id, user_id, kind_id)
  left join lateral (select u.id, u.status from app_user u where u.id = w.user_id for key share) owner on true
  where w.user_id is null or owner.id is not null
  order by w.wallet_id, w.currency_id
  on conflict (wallet_id, currency_id) do nothing`;

/** Opens accounts with zero in them; harmless when they exist. Accounts of users that do not exist are left out. */
export async function openWanted(db: Db, wanted: readonly Wanted[]): Promise<void> {
  const owners = wanted.map(({ walletId }) => readWalletId(walletId));
  const values = [
    plainArray(wanted.map((account) => account.walletId)),
    plainArray(wanted.map((account) => account.currencyId)),
    plainArray(owners.map((owner) => owner.userId)),
    plainArray(owners.map((owner) => owner.kindId)),
  ];
  await db.prepared('ledger_open', OPEN, values).catch((error: unknown) => {
    throw toRace(db, error);
  });
}

function toState(row: AccountRow): AccountState {
  return {
    walletId: row.wallet_id,
    currencyId: row.currency_id,
    userId: row.user_id,
    guarded: row.guarded,
    overdrawn: row.overdrawn,
    closed: row.closed,
    seq: row.seq,
    debits: BigInt(row.debits),
    credits: BigInt(row.credits),
    held: BigInt(row.held),
    deposited: BigInt(row.deposited),
    withdrawn: BigInt(row.withdrawn),
    version: row.version,
    isTouched: false,
  };
}

/** Locks all accounts of the wallets, always in one order. */
export async function lockWallets(tx: Transaction, wallets: Iterable<number>): Promise<AccountRow[]> {
  return (await tx.prepared<AccountRow>('ledger_lock', LOCK, [plainArray([...new Set(wallets)].sort((a, b) => a - b))])).rows;
}

/** The first currency there ever was: no account of a wallet stands before the one in it. */
const FIRST_CURRENCY = 1;

/**
 * The accounts, opened where they are missing. A wallet without any gets its first one and is locked there before another
 * is opened in it: whoever opens or locks anything of a wallet waits there first, and so nobody waits in a circle.
 */
async function lockOrOpen(tx: Transaction, wanted: readonly Wanted[], locked?: readonly AccountRow[]): Promise<readonly AccountRow[]> {
  const walletIds = [...new Set(wanted.map((account) => account.walletId))];
  let rows = locked ?? (await lockWallets(tx, walletIds));
  const open = async (accounts: readonly Wanted[]): Promise<void> => {
    if (accounts.length === 0) return;
    await openWanted(tx, accounts);
    rows = await lockWallets(tx, walletIds);
  };
  const begun = new Set(rows.map((row) => row.wallet_id));
  await open(walletIds.filter((walletId) => !begun.has(walletId)).map((walletId) => ({ walletId, currencyId: FIRST_CURRENCY })));
  const have = new Set(rows.map((row) => accountKey(row.wallet_id, row.currency_id)));
  await open(wanted.filter((account) => !have.has(accountKey(account.walletId, account.currencyId))));
  return rows;
}

/** Opens the books of a batch on the accounts it wants. `locked`: what `prepare` has locked of them. */
export async function openBooks(
  tx: Transaction,
  clock: Clock,
  { lane, referenceMark }: Pick<Books, 'lane' | 'referenceMark'>,
  wanted: ReadonlyMap<string, Wanted>,
  locked?: readonly AccountRow[],
): Promise<Books> {
  const rows = await lockOrOpen(tx, [...wanted.values()], locked);
  const createdAt = new Date(rows.reduce((latest, row) => Math.max(latest, row.posted_at.getTime()), clock.now().getTime()));
  const books = newBooks({ lane, referenceMark, isLocked: true }, createdAt);
  for (const row of rows) {
    const account = toState(row);
    books.accounts.set(accountKey(row.wallet_id, row.currency_id), account);
    const wallet = books.wallets.get(row.wallet_id) ?? { position: 0, postedAt_ms: 0, accounts: [] };
    wallet.position += row.seq;
    wallet.accounts.push(account);
    books.wallets.set(row.wallet_id, wallet);
  }
  forget(tx, lane.lane, books.wallets.keys());
  return books;
}
