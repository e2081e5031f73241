/**
 * Locks what a batch changes, always in the same order, which prevents deadlocks: the accounts of
 * people by wallet and currency, then one shard (or all), then the house accounts of that shard.
 */
import { setTimeout } from 'node:timers/promises';
import {
  defineStatement,
  execute,
  hideLength,
  plainArray,
  type Transaction,
  textArray,
} from '../db/index.ts';
import type { Shard } from './batch-state.ts';
import { ACCOUNT_COLUMNS, type AccountRow, lockWallet } from './lock-accounts.ts';
import { RefusalNeedsAllShards } from './persist-batch.ts';
import { PRIOR_RESULTS, type PriorResult } from './refused-keys.ts';
import { SHARDS } from './wallet-ids.ts';

/** Time (ms) between two looks for a free shard, when all are taken, at most. */
const SHARD_PAUSE_MS = 10;

/** No shard became free for as long as the transaction waits for a lock. */
class NoFreeShard extends Error {
  /** lock_not_available */
  readonly code = '55P03';
  constructor() {
    super('no shard became free');
    this.name = 'NoFreeShard';
  }
}

/**
 * Looks until there is a free shard. There is no queue: the transaction that has a shard may keep
 * it for long while others become free.
 * @throws `NoFreeShard`
 */
async function waitForShard<T>(
  { lockTimeout_ms = Number.POSITIVE_INFINITY }: Transaction,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const until_ms = performance.now() + lockTimeout_ms;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > until_ms) throw new NoFreeShard();
    await setTimeout(Math.ceil(Math.random() * SHARD_PAUSE_MS));
  }
}

/** Whether an earlier try of this work has found that it refuses. */
const willRefuse = ({ earlierErrors }: Transaction): boolean =>
  earlierErrors.some((error) => error instanceof RefusalNeedsAllShards);

/**
 * Nothing else posts while all shards are locked. PostgreSQL ends the transaction of an instance
 * that freezes meanwhile (a virtual machine that is moved) after this time (ms) without a
 * statement.
 */
const FROZEN_AFTER_MS = 2000;

async function limitPause(tx: Transaction): Promise<void> {
  await tx.query(`set local idle_in_transaction_session_timeout = ${FROZEN_AFTER_MS}`);
}

const SHARD_COLUMNS = 'shard, seals, transfers, steps, refusals, mac';
const ONE_SHARD = 'order by shard limit 1 for no key update skip locked';
/** No other transaction then posts meanwhile. Those that lock all wait for them in this order. */
const ALL_SHARDS = 'order by shard for no key update';

type ShardRow = Omit<Shard, 'areAllLocked'>;

const SELECT_SHARDS = `select ${SHARD_COLUMNS} from ledger_shard`;
const FREE_SHARD = defineStatement('ledger_free_shard', `${SELECT_SHARDS} ${ONE_SHARD}`);
const EVERY_SHARD = defineStatement('ledger_every_shard', `${SELECT_SHARDS} ${ALL_SHARDS}`);

/**
 * Takes a free shard, or waits until there is one. The transaction keeps it. Call it once all
 * accounts of people are locked: a transaction that waits for an account must not keep a shard from
 * others. A transaction that will refuse takes the first shard, and locks all others too.
 */
export async function takeShard(tx: Transaction): Promise<Shard> {
  const areAllLocked = willRefuse(tx);
  if (areAllLocked) await limitPause(tx);
  return waitForShard(tx, async () => {
    const { rows } = await execute<ShardRow>(tx, areAllLocked ? EVERY_SHARD : FREE_SHARD, {});
    return rows[0] && { ...rows[0], areAllLocked };
  });
}

const NO_ACCOUNT = ACCOUNT_COLUMNS.split(',')
  .map(() => 'null')
  .join(', ');

/** What one statement locks and finds for a batch. */
export interface LockedBatch {
  readonly shard: Shard;
  readonly rows: readonly AccountRow[];
  /**
   * What the keys of the batch stand for, as of the start of the statement; the unique keys settle
   * what comes later.
   */
  readonly priors: readonly PriorResult[];
}

/**
 * The accounts of people, shards once these are locked, the house accounts of the first of these
 * shards, and prior results: one round trip. `min` reads all rows of `shards`, and so locks them.
 */
const lockBatchWith = (shards: string): string => `with people as materialized (
    select a.* from unnest(${hideLength(':user_wallets::bigint[]')}) as w (wallet_id)
    cross join ${lockWallet('w.wallet_id')}
  ), shards as materialized (
    select l.* from (select count(*) as accounts from people) p cross join lateral (
      select ${SHARD_COLUMNS} from ledger_shard where p.accounts >= 0 ${shards}
    ) l
  ), own_shard as materialized (
    select * from shards where shard = (select min(shard) from shards)
  ), house as materialized (
    select a.* from own_shard cross join unnest(${hideLength(':house_kinds::smallint[]')}) as h
      (kind_id)
    cross join ${lockWallet(`-(h.kind_id * ${SHARDS} + own_shard.shard + 1)`)}
  ), found as (
    select json_build_object('shard', shard, 'seals', seals, 'transfers', transfers, 'steps', steps,
        'refusals', refusals, 'mac', encode(mac, 'hex')) as shard,
      (select json_agg(x) from (${PRIOR_RESULTS}) x) as priors
    from own_shard
  )
  select null::json as shard, null::json as priors, * from people
  union all select null, null, * from house
  union all select shard, priors, ${NO_ACCOUNT} from found`;

const LOCK_BATCH = defineStatement('ledger_lock_batch', lockBatchWith(ONE_SHARD));
const LOCK_BATCH_ALONE = defineStatement('ledger_lock_batch_alone', lockBatchWith(ALL_SHARDS));

interface LockedRow extends Omit<AccountRow, 'wallet_id'> {
  readonly shard: (Omit<ShardRow, 'mac'> & { readonly mac: string }) | null;
  readonly priors: PriorResult[] | null;
  readonly wallet_id: number | null;
}

export interface LockBatch {
  /** Wallets of people. */
  readonly userWallets: Iterable<number>;
  /** Kinds of house accounts. */
  readonly houseKinds: Iterable<number>;
  /** Idempotency keys of the postings. */
  readonly idempotencyKeys: readonly string[];
}

export async function lockBatch(
  tx: Transaction,
  { userWallets, houseKinds, idempotencyKeys }: LockBatch,
): Promise<LockedBatch> {
  const values = {
    user_wallets: plainArray([...userWallets].sort((a, b) => a - b)),
    house_kinds: plainArray([...houseKinds]),
    idempotency_keys: textArray(idempotencyKeys),
  };
  const areAllLocked = willRefuse(tx);
  const lock = areAllLocked ? LOCK_BATCH_ALONE : LOCK_BATCH;
  if (areAllLocked) await limitPause(tx);
  return waitForShard(tx, async () => {
    const { rows } = await execute<LockedRow>(tx, lock, values);
    const found = rows.find((row) => row.shard !== null);
    if (!found?.shard) return undefined;
    return {
      shard: { ...found.shard, mac: Buffer.from(found.shard.mac, 'hex'), areAllLocked },
      rows: rows.filter((row) => row.wallet_id !== null) as readonly AccountRow[],
      priors: found.priors ?? [],
    };
  });
}
