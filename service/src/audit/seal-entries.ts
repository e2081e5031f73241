/**
 * Job: seals the entries that are committed and not sealed. A change waits for no seal, and
 * for no other change.
 */
import {
  ADVISORY_LOCKS,
  type Database,
  queryNamed,
  type Transaction,
  takeLock,
  transaction,
} from '../db/index.ts';
import type { Job } from '../jobs/index.ts';
import {
  FIRST_MAC,
  leafOf,
  readAuditPlace,
  readSealedEntries,
  SEALED_MAX,
  sealMac,
} from './seals.ts';

const SEAL_EVERY_MS = 2000;

async function writeSeal(tx: Transaction, ids: readonly number[]): Promise<void> {
  const last = await readAuditPlace(tx);
  const entries = await readSealedEntries(tx, ids);
  const { rows } = await tx.query<{ now: Date }>('select now()::timestamptz(3) as now');
  const body = {
    position: (last?.position ?? 0) + 1,
    // One that is missing was removed: its place in the log stays, and the check finds it.
    entryIds: entries.map(({ id }) => id),
    createdAt: rows[0]?.now ?? new Date(0),
    leaves: Buffer.concat(entries.map(leafOf)),
  };
  const mac = sealMac(tx, last ? Buffer.from(last.mac, 'hex') : FIRST_MAC, body);
  await queryNamed(
    tx,
    `with sealed as (
       insert into audit_seal (position, entry_ids, leaves, created_at, mac)
       values (:position, :ids::bigint[], :leaves, :created_at, :mac) returning position, entry_ids)
     insert into audit_sealed (entry_id, position)
       select unnest(entry_ids), position from sealed`,
    {
      position: body.position,
      ids: body.entryIds,
      leaves: body.leaves,
      created_at: body.createdAt,
      mac,
    },
  );
}

/** Writes the next seal. @returns the number of entries that waited for it */
function sealNext(database: Database): Promise<number> {
  return transaction(database, async (tx) => {
    await takeLock(tx, ADVISORY_LOCKS.auditSeals);
    const { rows } = await queryNamed<{ entry_id: number }>(
      tx,
      'select entry_id from audit_unsealed order by entry_id limit :most',
      { most: SEALED_MAX },
    );
    const ids = rows.map(({ entry_id }) => entry_id);
    if (ids.length === 0) return 0;
    await writeSeal(tx, ids);
    await queryNamed(tx, 'delete from audit_unsealed where entry_id = any (:ids::bigint[])', {
      ids,
    });
    return ids.length;
  });
}

/** Seals all entries that wait. Safe to run on any instance at any time. */
export async function sealEntries(database: Database): Promise<void> {
  while ((await sealNext(database)) === SEALED_MAX);
}

export const createAuditJobs = (database: Database): Job[] => [
  {
    name: 'seal-audit-log',
    every_ms: SEAL_EVERY_MS,
    hasWork: async () => (await database.query('select from audit_unsealed limit 1')).rowCount > 0,
    run: () => sealEntries(database),
  },
];
