/** Accounts: opened where they are missing, and locked always in the same order. */
import {
  type Db,
  defineStatement,
  execute,
  hideLength,
  isLockTimeout,
  plainArray,
  type Transaction,
} from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type AccountState, accountKey, type BatchState, createBatchState } from './batch-state.ts';
import { ConcurrentPostingError, toConflict } from './persist-batch.ts';
import { readWalletId } from './wallet-ids.ts';

/** An account of a batch, by its key. */
export interface AccountKey {
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
}

export const ACCOUNT_COLUMNS = `wallet_id, currency_id, user_id, guarded, overdrawn, closed, seq,
  posted_at, debits, credits, held, deposited, withdrawn`;
/**
 * All currencies, written as a range: without statistics the planner then expects few rows and uses
 * the index in its order.
 */
const ANY_CURRENCY = 'currency_id between 0 and 32767';

/**
 * Locks all accounts of a wallet, whatever the currency, because the entries of a wallet share one
 * sequence. The lateral form takes the wallets one by one in their order, whatever the planner
 * knows of the table.
 */
export const lockWallet = (walletId: string, wait: '' | 'nowait' = ''): string => `lateral (
    select ${ACCOUNT_COLUMNS} from account
    where account.wallet_id = ${walletId} and ${ANY_CURRENCY} order by currency_id
    for no key update ${wait}
  ) a`;

const lockWalletsWith = (wait: '' | 'nowait'): string =>
  `select a.* from unnest(${hideLength(':wallets::bigint[]')}) as w (wallet_id)
    cross join ${lockWallet('w.wallet_id', wait)}`;

/**
 * A statement of its own: waiting for a lock inside a larger one would not refresh its snapshot.
 */
const LOCK_WALLETS = defineStatement('ledger_lock_wallets', lockWalletsWith(''));
const LOCK_AT_ONCE = defineStatement('ledger_lock_wallets_at_once', lockWalletsWith('nowait'));

// Waits for a person who is closing the account: what is opened afterwards is closed, and what was
// opened before is closed by them.
const OPEN_ACCOUNTS = defineStatement(
  'ledger_open_accounts',
  `insert into account (wallet_id, currency_id, user_id, kind_id, guarded, closed)
  select w.wallet_id, w.currency_id, w.user_id, w.kind_id, w.user_id is not null,
    coalesce(owner.status = 'closed', false)
  from unnest(${hideLength(':wallets::bigint[]')}, :currencies::smallint[], :users::bigint[],
    :kinds::smallint[])
    as w (wallet_id, currency_id, user_id, kind_id)
  left join lateral (select u.id, u.status from app_user u where u.id = w.user_id for key share)
    owner on true
  where w.user_id is null or owner.id is not null
  order by w.wallet_id, w.currency_id
  on conflict (wallet_id, currency_id) do nothing`,
);

/**
 * Opens accounts with zero in them; harmless when they exist. Accounts of users that do not exist
 * are left out.
 */
export async function openMissing(db: Db, accounts: readonly AccountKey[]): Promise<void> {
  const owners = accounts.map(({ walletId }) => readWalletId(walletId));
  const opened = execute(db, OPEN_ACCOUNTS, {
    wallets: plainArray(accounts.map((account) => account.walletId)),
    currencies: plainArray(accounts.map((account) => account.currencyId)),
    users: plainArray(owners.map((owner) => owner.userId)),
    kinds: plainArray(owners.map((owner) => owner.kindId)),
  });
  await opened.catch((error: unknown) => {
    throw toConflict(db, error);
  });
}

function toState(row: AccountRow): AccountState {
  return {
    walletId: row.wallet_id,
    currencyId: row.currency_id,
    userId: row.user_id,
    isOverdraftProtected: row.guarded,
    isOverdrawn: row.overdrawn,
    isClosed: row.closed,
    seq: row.seq,
    debits: BigInt(row.debits),
    credits: BigInt(row.credits),
    onHold: BigInt(row.held),
    deposited: BigInt(row.deposited),
    withdrawn: BigInt(row.withdrawn),
    isDirty: false,
  };
}

const toSorted = (wallets: Iterable<number>) =>
  plainArray([...new Set(wallets)].sort((a, b) => a - b));

/** Locks all accounts of the wallets, always in one order. */
export async function lockWallets(tx: Transaction, wallets: Iterable<number>): Promise<void> {
  await execute(tx, LOCK_WALLETS, { wallets: toSorted(wallets) });
}

/**
 * The same, of a transaction that has a shard. One that has locked such an account meanwhile may
 * wait for the shard (a refusal waits for all): the next try waits for the account without a shard.
 */
async function lockAtOnce(tx: Transaction, wallets: Iterable<number>): Promise<AccountRow[]> {
  const locked = execute<AccountRow>(tx, LOCK_AT_ONCE, { wallets: toSorted(wallets) });
  const { rows } = await locked.catch((error: unknown) => {
    throw isLockTimeout(error) ? new ConcurrentPostingError(error) : error;
  });
  return rows;
}

/** Id of the first currency: no account of a wallet stands before the one in it. */
export const FIRST_CURRENCY = 1;

/**
 * The accounts of a transaction that has a shard, opened where they are missing. A wallet without
 * any account gets its first one, and is locked there, before another is opened in it: every
 * transaction that opens or locks in a wallet waits there first, which prevents deadlocks.
 */
async function lockOrOpen(
  tx: Transaction,
  wanted: readonly AccountKey[],
  locked?: readonly AccountRow[],
): Promise<readonly AccountRow[]> {
  const walletIds = [...new Set(wanted.map((account) => account.walletId))];
  let rows = locked ?? (await lockAtOnce(tx, walletIds));
  const open = async (accounts: readonly AccountKey[]): Promise<void> => {
    if (accounts.length === 0) return;
    await openMissing(tx, accounts);
    rows = await lockAtOnce(tx, walletIds);
  };
  const begun = new Set(rows.map((row) => row.wallet_id));
  const empty = walletIds.filter((walletId) => !begun.has(walletId));
  await open(empty.map((walletId) => ({ walletId, currencyId: FIRST_CURRENCY })));
  const have = new Set(rows.map((row) => accountKey(row.wallet_id, row.currency_id)));
  await open(
    wanted.filter((account) => !have.has(accountKey(account.walletId, account.currencyId))),
  );
  return rows;
}

export interface OpenBatch extends Pick<BatchState, 'shard' | 'referenceVersion'> {
  readonly clock: Clock;
  readonly wanted: ReadonlyMap<string, AccountKey>;
  /** What `lockBatch` has locked of them. Default: nothing. */
  readonly locked?: readonly AccountRow[];
}

/** The state of a batch on the accounts that it needs. */
export async function openBatch(tx: Transaction, order: OpenBatch): Promise<BatchState> {
  const { clock, shard, referenceVersion, wanted, locked } = order;
  const rows = await lockOrOpen(tx, [...wanted.values()], locked);
  const createdAt_ms = rows.reduce(
    (latest, row) => Math.max(latest, row.posted_at.getTime()),
    clock.now().getTime(),
  );
  const batch = createBatchState({ shard, referenceVersion, createdAt: new Date(createdAt_ms) });
  for (const row of rows) {
    batch.accounts.set(accountKey(row.wallet_id, row.currency_id), toState(row));
    const wallet = batch.wallets.get(row.wallet_id) ?? { position: 0 };
    wallet.position += row.seq;
    batch.wallets.set(row.wallet_id, wallet);
  }
  return batch;
}
