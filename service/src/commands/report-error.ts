/** Why a command ended, for the person who called it. */
import { readDatabaseError } from '../db/index.ts';

const EXPECTED: ReadonlySet<string> = new Set([
  'ConfigError',
  'DataDirectoryInUse',
  'CommandError',
  'UnfitRole',
  'UnsupportedDatabase',
]);

/** A sentence; the whole error with its stack only where it is a fault of ours. */
export function reportError(error: unknown): void {
  const said = readDatabaseError(error);
  if (said !== undefined) console.error(`edge-account: the database failed: ${said}`);
  else
    console.error(
      error instanceof Error && EXPECTED.has(error.name) ? `edge-account: ${error.message}` : error,
    );
}
