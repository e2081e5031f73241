/** That the books were verified, by whom and with which result: an entry of the audit log. */
import { type Db, queryNamed, transaction } from '../db/index.ts';

export interface Verification {
  /** When the head was signed from which on it read; null: from the first posting on. */
  readonly since: string | null;
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
