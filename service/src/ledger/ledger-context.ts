/**
 * What the ledger of one database needs besides the database: the clock, and the key of its seals.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { installAuditSeals } from '../audit/index.ts';
import { type Database, type Db, PerDatabase } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { forgetReference } from './reference-data.ts';

interface Keys {
  /** A 32-byte key for one purpose. */
  derive(purpose: string): Buffer;
}

export interface LedgerContext {
  readonly clock: Clock;
  readonly masterKey: Keys;
  /** Keys the chain of seals. */
  readonly sealKey: KeyObject;
}

/** The key of the chain of seals. */
export function createSealKey(masterKey: Keys): KeyObject {
  return createSecretKey(masterKey.derive('ledger-seal'));
}

const settings = new PerDatabase<LedgerContext>('installLedger');

/** Prepares a database for posting, before the first one; a second call changes clock and keys. */
export function installLedger(
  database: Database,
  { clock, masterKey }: { clock: Clock; masterKey: Keys },
): void {
  if (!settings.has(database)) {
    // A connection that ended, or a new one, may be the first sign of a failover to a copy that
    // lacks the last commits. Writes check the version of the reference data in any case; reads
    // take their codes from what is cached here.
    database.pool.on('connect', () => forgetReference(database));
    database.pool.on('remove', () => forgetReference(database));
  }
  installAuditSeals(database, masterKey);
  settings.set(database, {
    clock,
    masterKey,
    sealKey: createSealKey(masterKey),
  });
}

export function getLedgerContext(db: Db): LedgerContext {
  return settings.get(db);
}
