/**
 * Seals of the audit log: a keyed hash over some entries and the seal before it. An entry that is
 * altered, removed or inserted no longer agrees with them.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { type Database, type Db, PerDatabase, queryNamed } from '../db/index.ts';

interface Keys {
  /** A 32-byte key for one purpose. */
  derive(purpose: string): Buffer;
}

const keys = new PerDatabase<KeyObject>('installAuditSeals');

/** Gives the audit log of a database the key of its seals, before the first one. */
export function installAuditSeals(database: Database, masterKey: Keys): void {
  keys.set(database, createSecretKey(masterKey.derive('audit-seal')));
}

/** Bytes of a leaf, the hash of one entry. */
export const LEAF_BYTES = 32;
/** What the first seal has before it. */
export const FIRST_MAC = Buffer.alloc(32);
/** Entries of a seal at most. */
export const SEALED_MAX = 1000;

/** An entry as it is sealed: all its columns, bytes in hexadecimal. */
export interface SealedEntry {
  readonly id: number;
  readonly at: Date;
  /** The other columns in their order. */
  readonly columns: readonly (string | null)[];
}

const COLUMNS = `actor_kind, actor_id, client_id, operation, subject_kind, subject_id,
  before::text, after::text, reason, encode(reason_sealed, 'hex'), address,
  encode(origin_sealed, 'hex'), request_id, request_key`;

/** Entries by their ids, in the order of the ids; those that are missing are left out. */
export async function readSealedEntries(db: Db, ids: readonly number[]): Promise<SealedEntry[]> {
  return (
    await queryNamed<SealedEntry>(
      db,
      `select id, at, array[${COLUMNS}] as columns from audit_entry
       where id = any (:ids::bigint[]) order by id`,
      { ids },
    )
  ).rows;
}

/** JSON, so that no two different entries have one line. */
export const leafOf = ({ id, at, columns }: SealedEntry): Buffer =>
  hash('sha256', JSON.stringify([id, at.toISOString(), columns]), 'buffer');

/** What a seal covers. */
export interface SealBody {
  readonly position: number;
  readonly entryIds: readonly number[];
  readonly createdAt: Date;
  /** The leaves of the entries, one behind the other. */
  readonly leaves: Buffer;
}

/** The keyed hash of a seal. */
export function sealMac(
  db: Db,
  before: Buffer,
  { position, entryIds, createdAt, leaves }: SealBody,
): Buffer {
  const place = `A${position},${createdAt.toISOString()},${entryIds.join()}\n`;
  return createHmac('sha256', keys.get(db)).update(before).update(place).update(leaves).digest();
}

/** Where the seals stand, as signed heads of the ledger name it. */
export interface AuditPlace {
  readonly position: number;
  /** Hexadecimal. */
  readonly mac: string;
}

/** The last seal, or the one of a position; undefined: there is none. */
export async function readAuditPlace(db: Db, position?: number): Promise<AuditPlace | undefined> {
  const { rows } = await queryNamed<{ position: number; mac: Buffer }>(
    db,
    `select position, mac from audit_seal where position = coalesce(:position, position)
     order by position desc limit 1`,
    { position: position ?? null },
  );
  return rows[0] && { position: rows[0].position, mac: rows[0].mac.toString('hex') };
}
