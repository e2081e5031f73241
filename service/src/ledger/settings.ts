/** What the ledger of one database needs besides the database: the clock, and the key of its seals. */
import { type Database, type Db, databaseOf } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';

export interface LedgerSettings {
  readonly clock: Clock;
  /** Keys the chain of seals; derived from the master key by the purpose `ledger-seal`. */
  readonly sealKey: Buffer;
}

const settings = new WeakMap<Database, LedgerSettings>();

/** Prepares a database for posting; once per process and database, before the first posting. */
export function installLedger(database: Database, { clock, masterKey }: { clock: Clock; masterKey: { derive(purpose: string): Buffer } }): void {
  settings.set(database, { clock, sealKey: masterKey.derive('ledger-seal') });
}

export function settingsOf(db: Db): LedgerSettings {
  const known = settings.get(databaseOf(db));
  if (!known) throw new Error('installLedger was not called for this database');
  return known;
}
