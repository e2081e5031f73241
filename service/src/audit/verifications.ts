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

/** Records of how far verifications came, newest first. Whether one is true, its hash shows. */
export async function listVerifiedPlaces(
  db: Db,
  limit: number,
): Promise<{ readonly id: number; readonly record: VerifiedPlaceRecord }[]> {
  const { rows } = await queryNamed<VerifiedPlaceRecord & { readonly id: number }>(
    db,
    `select id, coalesce(after->'place'->>'body', '') as body,
        coalesce(after->'place'->>'mac', '') as mac
      from audit_entry where operation = '${OPERATION}' and after ? 'place'
      order by at desc, id desc limit :limit`,
    { limit },
  );
  return rows.map(({ id, body, mac }) => ({ id, record: { body, mac } }));
}

/** The last one; undefined: none was recorded. */
export async function readLastVerification(
  db: Db,
): Promise<(Verification & { readonly at: Date }) | undefined> {
  const { rows } = await db.query<Verification & { readonly at: Date }>(
    `select at, after->>'since' as since, (after->>'findings')::int as findings,
        array(select jsonb_array_elements_text(after->'parts')) as parts
      from audit_entry where operation = '${OPERATION}' and actor_kind = 'command'
      order by at desc, id desc limit 1`,
  );
  return rows[0];
}
