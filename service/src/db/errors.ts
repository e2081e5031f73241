/** Errors of the drivers, by their codes: each engine has a class of its own. */

/**
 * What the network and PostgreSQL say of a connection that is gone or cannot be had; 25P03 of one
 * that slept in its transaction.
 */
const LOST_CODES: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  ...['08000', '08003', '08006', '25P03', '53300', '57P01', '57P02', '57P03'],
]);
/** How messages of the driver about a lost connection begin. */
const LOST_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
];

export function isDatabaseUnreachable(error: Error): boolean {
  return (
    ('code' in error && LOST_CODES.has(error.code)) ||
    LOST_MESSAGES.some((text) => error.message.startsWith(text))
  );
}

/** States in which PostgreSQL answers, but takes no changes, as reasons of `unavailable`. */
const UNWRITABLE: Readonly<Record<string, DatabaseState>> = {
  '25006': 'database_read_only',
  '53100': 'database_disk_full',
};

export type DatabaseState = 'database_read_only' | 'database_disk_full';

/** Why the database takes no changes, if the error says so. */
export function readDatabaseState(error: unknown): DatabaseState | undefined {
  return error instanceof Error && 'code' in error ? UNWRITABLE[String(error.code)] : undefined;
}

/**
 * Others were in the way for too long, or too often: locks, deadlocks, serialization, the time
 * limit of statements.
 */
const BUSY_CODES: ReadonlySet<unknown> = new Set(['40001', '40P01', '55P03', '57014']);

/** True of a statement that waited for a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}

/** True of a lock that was waited for too long to write into an index, with the index's name. */
export function isIndexLocked(error: unknown, index: string): boolean {
  return (
    isLockTimeout(error) &&
    error instanceof Error &&
    'where' in error &&
    String(error.where).includes(`relation "${index}"`)
  );
}

/** True when the same may well succeed a moment later. */
export function isDatabaseBusy(error: Error): boolean {
  return 'code' in error && BUSY_CODES.has(error.code);
}

/**
 * What the database, or the way to it, said, in a sentence; undefined of an error that is
 * neither's.
 */
export function readDatabaseError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('severity' in error && 'code' in error) return `${error.message} (SQLSTATE ${error.code})`;
  return isDatabaseUnreachable(error) ? error.message : undefined;
}
