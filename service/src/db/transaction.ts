/** Transactions: one per state change, joined when one is open already. */
import type pg from 'pg';
import { inActorsName, isAudited } from './audit-context.ts';
import { readDatabaseState } from './errors.ts';
import { preparedConfig, run } from './run-statement.ts';
import { hasStatementLimit, limitInside } from './statement-limit.ts';
import type { Database, Db, Result, Row, Transaction } from './types.ts';

const RETRIES = 4;
/** serialization_failure and deadlock_detected: the same work may succeed when it runs again. */
const RETRYABLE: ReadonlySet<string> = new Set(['40001', '40P01']);

function sqlState(error: unknown): string | undefined {
  return typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** True when PostgreSQL refused a duplicate; `constraint` narrows it to one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    sqlState(error) === '23505' &&
    (constraint === undefined || (error as { constraint?: string }).constraint === constraint)
  );
}

/**
 * The database itself, also from inside a transaction: a key for what is kept per database in
 * memory.
 */
export function databaseOf(db: Db): Database {
  return db.isTransaction ? (db as Transaction).database : (db as Database);
}

/**
 * PostgreSQL answers the commit of a transaction that failed with a rollback, and calls it no
 * error.
 */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query({ text: 'commit' });
  if (command !== 'COMMIT')
    throw new Error('the transaction was rolled back: one of its statements had failed');
}

interface Sender {
  send<R>(config: pg.QueryConfig): Promise<Result<R>>;
  commit(): Promise<void>;
  /** Sends it together with what is sent next in this turn of the event loop. */
  sendCorked(config: pg.QueryConfig): Promise<unknown>;
}

/** Statements are sent at once and answered in order. */
function createPipelinedSender(client: pg.PoolClient): Sender {
  const { stream } = client.connection;
  let isHeld = false;
  const flush = (): void => {
    if (isHeld) stream.uncork();
    isHeld = false;
  };
  return {
    send: <R>(config: pg.QueryConfig) => {
      const result = run<R>(client, config);
      flush();
      return result;
    },
    sendCorked: (config) => {
      stream.cork();
      isHeld = true;
      process.nextTick(flush);
      return run(client, config);
    },
    commit: () => commit(client),
  };
}

/** One statement at a time. */
function createSequentialSender(client: pg.PoolClient): Sender {
  let before: Promise<unknown> = Promise.resolve();
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const result = before.then(work);
    before = result.catch(() => {});
    return result;
  };
  const send = <R>(config: pg.QueryConfig): Promise<Result<R>> =>
    enqueue(() => run<R>(client, config));
  return { send, sendCorked: send, commit: () => enqueue(() => commit(client)) };
}

/** What a transaction leaves for its end. */
interface End {
  /** Absent until the first statement is sent. */
  begun?: Promise<unknown>;
  readonly after: (() => void)[];
}

type TransactionFacts = Pick<Transaction, 'database' | 'earlierErrors' | 'lockTimeout_ms'>;

function openTransaction(
  facts: TransactionFacts,
  { send, sendCorked }: Sender,
  end: End,
): Transaction {
  const sendInside = <R>(config: pg.QueryConfig): Promise<Result<R>> => {
    if (!end.begun) {
      // A system call and a wake-up of the server less for each transaction: `begin` goes with the
      // first statement.
      end.begun = sendCorked({ text: 'begin' });
      end.begun.catch(() => {});
    }
    return send<R>(config);
  };
  return {
    isTransaction: true,
    ...facts,
    query: <R = Row>(text: string, values: readonly unknown[] = []) =>
      sendInside<R>({ text, values: [...values] }),
    prepared: <R = Row>(name: string, text: string, values: readonly unknown[] = []) =>
      sendInside<R>(preparedConfig(facts.database, name, { text, values })),
    afterCommit: (action) => end.after.push(action),
  };
}

type Work<T> = (tx: Transaction) => Promise<T>;

/** @param onBroken called when the connection is of no further use */
async function runOn<T>(
  client: pg.PoolClient,
  facts: TransactionFacts,
  work: Work<T>,
  onBroken: (reason: Error) => void,
): Promise<T> {
  const { database } = facts;
  const end: End = { after: [] };
  const sender =
    database.kind === 'server' ? createPipelinedSender(client) : createSequentialSender(client);
  try {
    const result = await work(openTransaction(facts, sender, end));
    if (end.begun) {
      await end.begun;
      await sender.commit();
    }
    for (const action of end.after) action();
    return result;
  } catch (error) {
    // A primary that became a standby stays one: its connections are of no use.
    if (error instanceof Error && readDatabaseState(error) === 'database_read_only')
      onBroken(error);
    // Behind whatever was sent and not waited for: nothing of this may run once another has the
    // client.
    if (end.begun) {
      await sender.send({ text: 'rollback' }).catch((reason: unknown) => {
        onBroken(reason instanceof Error ? reason : new Error(String(reason)));
      });
    }
    throw error;
  }
}

async function attempt<T>(facts: TransactionFacts, work: Work<T>): Promise<T> {
  const client = await facts.database.pool.connect();
  let broken: Error | undefined;
  try {
    return await runOn(client, facts, work, (reason) => {
      broken = reason;
    });
  } finally {
    client.release(broken);
  }
}

/**
 * How long (ms) a transaction waits for a lock. `short`: another transaction continues or tries
 * again what fails. `request`: the request then fails with `unavailable`, and gives its connection
 * back.
 */
export const LOCK_TIMEOUT_MS = { short: 300, request: 2000 } as const;

export interface TransactionOptions {
  /** Milliseconds that a statement waits for a lock. Default: without limit. */
  readonly lockTimeout_ms?: number;
}

/**
 * Runs `work` in one transaction (READ COMMITTED). When `db` is already a transaction, joins it.
 * Deadlocks and serialization failures run the work again, so it must not have effects outside the
 * database; use `afterCommit`.
 */
export async function transaction<T>(
  db: Db,
  work: Work<T>,
  { lockTimeout_ms }: TransactionOptions = {},
): Promise<T> {
  if (db.isTransaction) return work(db as Transaction);
  const limitedWork = async (tx: Transaction): Promise<T> => {
    const limits: Promise<unknown>[] = [limitInside(tx)];
    if (lockTimeout_ms !== undefined)
      limits.push(tx.query(`set local lock_timeout = ${lockTimeout_ms}`));
    const [result] = await Promise.all([work(tx), ...limits]);
    return result;
  };
  const isLimited = lockTimeout_ms !== undefined || hasStatementLimit();
  const inTime = isLimited ? limitedWork : work;
  const toRun = (tx: Transaction): Promise<T> => inActorsName(tx, inTime);
  const earlierErrors: unknown[] = [];
  const facts = { database: db as Database, earlierErrors, lockTimeout_ms };
  for (;;) {
    try {
      return await attempt(facts, toRun);
    } catch (error) {
      earlierErrors.push(error);
      if (earlierErrors.length > RETRIES || !RETRYABLE.has(sqlState(error) ?? '')) throw error;
    }
  }
}

/**
 * Runs a statement outside of a transaction. It gets one in the name of an actor, so that the audit
 * log knows the actor, and where its time is limited.
 */
export function runAlone<R>(database: Database, config: pg.QueryConfig): Promise<Result<R>> {
  if (!isAudited() && !hasStatementLimit()) return run<R>(database.pool, config);
  const { name, text, values } = config;
  return transaction(database, (tx) =>
    name === undefined ? tx.query<R>(text, values) : tx.prepared<R>(name, text, values),
  );
}

/**
 * For work that shares transactions with that of others: in the name of an actor it gets its own.
 */
export function inAuditedTransaction<T>(
  database: Database,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  return isAudited() ? transaction(database, work) : work(database);
}

/**
 * Runs `work`, which only reads, in one transaction: on the standby where the current request may
 * read there (see `replica/`), otherwise as `transaction` does.
 */
export async function readTransaction<T>(db: Db, work: Work<T>): Promise<T> {
  if (db.isTransaction) return work(db as Transaction);
  const database = db as Database;
  const facts = { database, earlierErrors: [], lockTimeout_ms: undefined };
  // A connection without an answer to its rollback is gone, which its pool finds by itself.
  const answer = await database.replica?.read((client) => runOn(client, facts, work, () => {}));
  return answer ? answer.value : transaction(database, work);
}

let savepoints = 0;

/**
 * Runs `work` so that its failure undoes only itself and leaves the surrounding transaction usable.
 */
export async function savepoint<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  const name = `s${++savepoints}`;
  await tx.query(`savepoint ${name}`);
  try {
    const result = await work();
    await tx.query(`release savepoint ${name}`);
    return result;
  } catch (error) {
    await tx.query(`rollback to savepoint ${name}`);
    throw error;
  }
}
