/**
 * Recomputes the seals of the audit log, and looks for entries that no seal covers: finds what was
 * altered, removed or inserted.
 */
import { type Db, queryNamed, transaction } from '../db/index.ts';
import {
  type AuditPlace,
  FIRST_MAC,
  LEAF_BYTES,
  leafOf,
  readSealedEntries,
  SEALED_MAX,
  sealMac,
} from './seals.ts';

export interface AuditReport {
  readonly entries: number;
  readonly seals: number;
  /** Written in the last seconds: no seal covers them yet. */
  readonly unsealed: number;
  readonly problems: readonly string[];
  /** The last seal that was recomputed, or where it began; absent: there is none. */
  readonly end?: AuditPlace;
}

/** More would only repeat. */
const KEPT_MAX = 100;
const SEALS_PER_READ = 20;
/** A transaction that changes something ends sooner. */
const LONGEST_MS = 3_600_000;

interface StoredSeal {
  readonly position: number;
  /** The driver gives arrays of bigint as text. */
  readonly entry_ids: readonly (number | string)[];
  readonly leaves: Buffer;
  readonly created_at: Date;
  readonly mac: Buffer;
}

interface SealRow extends StoredSeal {
  readonly entry_ids: readonly number[];
}

/** How far the seals were followed. */
interface Walk {
  readonly problems: string[];
  position: number;
  mac: Buffer;
  entries: number;
  seals: number;
  /** When all entries up to then were sealed. */
  drainedAt: Date | undefined;
}

async function checkEntries(db: Db, walk: Walk, seal: SealRow): Promise<void> {
  const found = new Map(
    (await readSealedEntries(db, seal.entry_ids)).map((entry) => [entry.id, entry]),
  );
  for (const [i, id] of seal.entry_ids.entries()) {
    const entry = found.get(id);
    const leaf = seal.leaves.subarray(i * LEAF_BYTES, (i + 1) * LEAF_BYTES);
    if (!entry) walk.problems.push(`entry ${id} was removed`);
    else if (!leafOf(entry).equals(leaf)) walk.problems.push(`entry ${id} was altered`);
    else if (walk.drainedAt && entry.at.getTime() < walk.drainedAt.getTime() - LONGEST_MS)
      walk.problems.push(
        `entry ${id} was inserted later: it says ${entry.at.toISOString()}, and was not there at ` +
          walk.drainedAt.toISOString(),
      );
  }
}

async function checkSeal(db: Db, walk: Walk, seal: SealRow): Promise<void> {
  const { position, entry_ids: entryIds, leaves, created_at: createdAt, mac } = seal;
  if (position !== walk.position + 1) walk.problems.push(`seal ${walk.position + 1} was removed`);
  else if (!sealMac(db, walk.mac, { position, entryIds, createdAt, leaves }).equals(mac))
    walk.problems.push(`seal ${position} was altered`);
  await checkEntries(db, walk, seal);
  walk.position = position;
  walk.mac = mac;
  walk.entries += entryIds.length;
  walk.seals += 1;
  if (entryIds.length < SEALED_MAX) walk.drainedAt = createdAt;
}

const SEALS = `select position, entry_ids, leaves, created_at, mac from audit_seal
  where position > :position order by position limit ${SEALS_PER_READ}`;

async function followSeals(db: Db, walk: Walk): Promise<void> {
  for (;;) {
    const { rows } = await queryNamed<StoredSeal>(db, SEALS, { position: walk.position });
    for (const seal of rows)
      await checkSeal(db, walk, { ...seal, entry_ids: seal.entry_ids.map(Number) });
    if (rows.length < SEALS_PER_READ || walk.problems.length >= KEPT_MAX) return;
  }
}

/** Entries without a seal, and rows that claim a seal which does not cover their entry. */
const UNCOVERED = `select e.id, s.position from audit_entry e
  left join audit_sealed s on s.entry_id = e.id
  left join audit_seal seal on seal.position = s.position
  where e.at >= coalesce(:since::timestamptz, '-infinity')
    and not exists (select from audit_unsealed u where u.entry_id = e.id)
    and (seal.position is null or not e.id = any (seal.entry_ids))
  order by e.id limit ${KEPT_MAX}`;

async function findUncovered(db: Db, since: Date | undefined): Promise<string[]> {
  const { rows } = await queryNamed<{ id: number }>(db, UNCOVERED, {
    since: since && new Date(since.getTime() - LONGEST_MS),
  });
  return rows.map(({ id }) => `entry ${id} is covered by no seal: it was inserted`);
}

async function startOf(db: Db, from: AuditPlace | undefined): Promise<Walk> {
  const start = { problems: [] as string[], entries: 0, seals: 0 };
  const { rows } = await queryNamed<{ created_at: Date }>(
    db,
    'select created_at from audit_seal where position = :position',
    { position: from?.position ?? 0 },
  );
  const drainedAt = rows[0]?.created_at;
  // A seal that is no longer there: the whole log, which says what is missing.
  if (!from || !drainedAt) return { ...start, position: 0, mac: FIRST_MAC, drainedAt: undefined };
  const { position, mac } = from;
  return { ...start, position, mac: Buffer.from(mac, 'hex'), drainedAt };
}

/**
 * Verifies the audit log on one snapshot.
 * @param from the place that a signed head names: what was sealed before it is not read again;
 *   undefined: everything
 */
export async function verifyAudit(db: Db, from?: AuditPlace): Promise<AuditReport> {
  return transaction(db, async (tx) => {
    if (!db.isTransaction)
      await tx.query('set transaction isolation level repeatable read, read only');
    await tx.query('set local statement_timeout = 0');
    const walk = await startOf(tx, from);
    const since = walk.drainedAt;
    await followSeals(tx, walk);
    const uncovered = await findUncovered(tx, since);
    const { rows } = await tx.query<{ count: number }>('select count(*) from audit_unsealed');
    const { position, mac } = walk;
    return {
      entries: walk.entries,
      seals: walk.seals,
      unsealed: rows[0]?.count ?? 0,
      problems: [...walk.problems, ...uncovered].slice(0, KEPT_MAX),
      ...(position > 0 && { end: { position, mac: mac.toString('hex') } }),
    };
  });
}
