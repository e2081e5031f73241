/**
 * The advisory locks of PostgreSQL that the service takes: what exists, under which number, and the
 * only statements that take them. A number identifies a lock in the whole database, so each is used
 * for one purpose, and all instances must agree on it.
 */
import type { Transaction } from './types.ts';

/** A lock of which there is one: the number is its key. */
interface SingleLock {
  readonly key: number;
}

/** Locks by name: the key is the 64-bit hash of the name, with the number as seed. */
interface NamedLock {
  readonly seed: number;
}

/** All advisory locks, with what each protects. */
export const ADVISORY_LOCKS = {
  /** The set of signing keys: one instance rotates them. */
  signingKeys: { key: 7_316_002 },
  /** The console's OAuth client: one instance creates or updates it at start. */
  consoleClient: { key: 7_316_003 },
  /** The key that signs ledger heads: created once. */
  ledgerKey: { key: 7_316_030 },
  /** The log of payout decisions: its rows are sealed one after the other. */
  payoutDecisions: { key: 7_316_070 },
  /** The seals of the audit log: they follow each other. */
  auditSeals: { key: 7_316_080 },
  /** The brand: its changes follow each other, also the first one, which has no row to lock. */
  brand: { key: 7_316_090 },
  /** The referral tree: it has one writer at a time. */
  referralTree: { key: 7_316_060 },
  /** A request with an Idempotency-Key, by caller, route and key: a second one is refused. */
  idempotencyKey: { seed: 0 },
  /**
   * A job, or `migrations`, by its name: one process runs it. Held by a session, not by a
   * transaction.
   */
  job: { seed: 1 },
  /** A step of posting a reward batch, by batch and step: one worker posts it. */
  rewardStep: { seed: 2 },
  /** Device registrations, by node, user or IP address: they are counted one after the other. */
  deviceRegistration: { seed: 50 },
  /** The binding of a token to a device, by grant or token: two bindings are not concurrent. */
  deviceToken: { seed: 51 },
  /** Requests for payouts, by currency: their limits are counted one after the other. */
  payoutLimits: { seed: 70 },
  /** What a user has granted: ending it excludes that a code is stored. Key: person_lock(), SQL. */
  person: { seed: 130 },
} as const satisfies Record<string, SingleLock | NamedLock>;

const KEY_OF_NAME = 'hashtextextended($1, $2)';

/** Takes a lock until the end of the transaction; waits for it. */
export async function takeLock(tx: Transaction, lock: SingleLock): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [lock.key]);
}

/** Takes the lock of a name until the end of the transaction; waits for it. */
export async function takeNamedLock(tx: Transaction, lock: NamedLock, name: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${KEY_OF_NAME})`, [name, lock.seed]);
}

/** Takes the lock of a name until the end of the transaction, unless another transaction has it. */
export async function tryNamedLock(
  tx: Transaction,
  lock: NamedLock,
  name: string,
): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(${KEY_OF_NAME}) as locked`,
    [name, lock.seed],
  );
  return rows[0]?.locked === true;
}

/** Waits until no code of the user is being stored, and lets none be stored until the end. */
export async function takePersonLock(tx: Transaction, userId: number): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(person_lock($1))', [userId]);
}

/** Statements of a session's lock, for the connection that holds the locks of jobs. */
export const SESSION_LOCK = {
  try: `select pg_try_advisory_lock(${KEY_OF_NAME}) as locked`,
  release: `select pg_advisory_unlock(${KEY_OF_NAME})`,
} as const;
