/** That the books were verified, by whom and with which result: an entry of the audit log. */
import { type Db, queryNamed, transaction } from '../db/index.ts';

/** How far a verification came, as the ledger wrote it, and its keyed hash over that. */
export interface VerifiedPlaceRecord {
  readonly body: string;
  /** base64url */
  readonly mac: string;
}

export interface Verification {
  /** From when on it read; null: from the first posting on. */
  readonly since: string | null;
  /** Until when: what was posted before was read. */
  readonly verified_until?: string | undefined;
  /** Where the next one continues; absent: something did not agree. */
  readonly place?: VerifiedPlaceRecord | undefined;
  /** What was looked at. */
  readonly parts: readonly string[];
  /** How much did not agree. */
  readonly findings: number;
}

const OPERATION = 'verify';

/** Writes the entry, in the name of the actor. */
export async function recordVerification(db: Db, verification: Verification): Promise<void> {
  await transaction(db, async (tx) => {
    await queryNamed(
      tx,
      `select add_audit_entry('commands', '${OPERATION}', null, :after::jsonb, '${OPERATION}')`,
      { after: JSON.stringify(verification) },
    );
  });
}

const PLACES_PER_READ = 500;
/** Records of places that are read at most. */
const PLACES_MAX = 10_000;
/** What instances insert says itself when it was: a record may be of the future. */
const IS_PAST = "at <= now() + interval '1 hour'";

interface StoredPlace extends VerifiedPlaceRecord {
  readonly id: number;
  /** With microseconds. */
  readonly at: string;
}

const PLACES = `select id, at::text, coalesce(after->'place'->>'body', '') as body,
    coalesce(after->'place'->>'mac', '') as mac
  from audit_entry where operation = '${OPERATION}' and after ? 'place' and ${IS_PAST}
    and (:at::timestamptz is null or (at, id) < (:at::timestamptz, :id::bigint))
  order by at desc, id desc limit ${PLACES_PER_READ}`;

/**
 * Records of how far verifications came, newest first, without those of the future. Whether one is
 * true, its hash shows.
 */
export async function* listVerifiedPlaces(
  db: Db,
): AsyncGenerator<{ readonly id: number; readonly record: VerifiedPlaceRecord }> {
  let last: StoredPlace | undefined;
  for (let read = 0; read < PLACES_MAX; read += PLACES_PER_READ) {
    const place = { at: last?.at ?? null, id: last?.id ?? null };
    const { rows } = await queryNamed<StoredPlace>(db, PLACES, place);
    for (const { id, body, mac } of rows) yield { id, record: { body, mac } };
    if (rows.length < PLACES_PER_READ) return;
    last = rows.at(-1);
  }
}

/** Records of places with a time in the future; undefined: there are none. */
export async function findFuturePlaces(
  db: Db,
): Promise<{ readonly first: number; readonly count: number } | undefined> {
  const { rows } = await db.query<{ first: number; count: number }>(
    `select min(id) as first, count(*) as count from audit_entry
      where operation = '${OPERATION}' and after ? 'place' and not ${IS_PAST}
      having count(*) > 0`,
  );
  return rows[0];
}

/** The last one that is not of the future; undefined: none was recorded. */
export async function readLastVerification(
  db: Db,
): Promise<(Verification & { readonly at: Date }) | undefined> {
  const { rows } = await db.query<Verification & { readonly at: Date }>(
    `select at, after->>'since' as since, (after->>'findings')::int as findings,
        array(select jsonb_array_elements_text(after->'parts')) as parts
      from audit_entry where operation = '${OPERATION}' and actor_kind = 'command' and ${IS_PAST}
      order by at desc, id desc limit 1`,
  );
  return rows[0];
}
