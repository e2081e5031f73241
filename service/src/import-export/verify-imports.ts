/** Compares what was imported with the ledger and the users, and checks every certificate. */
import type { Db } from '../db/index.ts';
import { isSignedByLedger, type SignedText } from '../ledger/index.ts';
import { CERTIFICATE_TYPE } from './certificate.ts';
import { unlimited } from './stage-sql.ts';

const PROBLEMS_MAX = 20;

/** The sum of the postings of each row, from the side of the user. */
const POSTINGS = `with posted as (
    select split_part(idempotency_key, '/', 2) as file,
      substring(idempotency_key from '^import/[^/]+/(.*)/[0-9]+$') as key,
      sum(case when credit_wallet > 0 then amount else -amount end) as amount
    from transfer
    where idempotency_key >= 'import/b' and idempotency_key < 'import/c' group by 1, 2
  )
  select 'row ' || coalesce(i.file, p.file) || ' ' || coalesce(i.key, p.key)
      || ': was imported with ' || coalesce(i.amount::text, 'nothing') || ', and posted with '
      || coalesce(p.amount::text, 'nothing') as problem
  from (select * from imported_row where file in ('balances', 'bills')) i
  full join posted p on p.file = i.file and p.key = i.key
  where coalesce(i.amount, 0) <> coalesce(p.amount, 0) or i.key is null
  limit ${PROBLEMS_MAX}`;

const PEOPLE = `select 'user ' || user_id || ': was imported, and is gone' as problem
  from imported_row i
  where file = 'people' and not exists (select from app_user u where u.id = i.user_id)
  limit ${PROBLEMS_MAX}`;

const PURCHASES = `select 'purchase ' || i.key || ': was imported, and has no transfer' as problem
  from imported_row i
  where file = 'purchases' and not exists (
    select from transfer t
    where t.idempotency_key = 'import/purchases/' || i.key || '/' || i.revision || '/purchase')
  limit ${PROBLEMS_MAX}`;

function readType(body: string): unknown {
  try {
    return (JSON.parse(body) as { type?: unknown } | null)?.type;
  } catch {
    return undefined;
  }
}

async function isGenuine(db: Db, certificate: SignedText): Promise<boolean> {
  return (
    readType(certificate.body) === CERTIFICATE_TYPE && (await isSignedByLedger(db, certificate))
  );
}

async function checkCertificates(db: Db, kept: readonly SignedText[]): Promise<string[]> {
  const { rows } = await db.query<SignedText & { id: number }>(
    'select id, body, signature, kid from import_certificate order by id',
  );
  const problems: string[] = [];
  for (const { id, ...certificate } of rows) {
    if (!(await isGenuine(db, certificate)))
      problems.push(`certificate ${id}: the signature is not of this ledger`);
  }
  const stored = new Set(rows.map(({ body }) => body));
  for (const [i, certificate] of kept.entries()) {
    if (!(await isGenuine(db, certificate)))
      problems.push(`certificate file ${i + 1}: the signature is not of this ledger`);
    else if (!stored.has(certificate.body))
      problems.push(`certificate file ${i + 1}: the database no longer has this import`);
  }
  return problems;
}

export interface ImportReport {
  readonly rows: number;
  readonly certificates: number;
  readonly problems: readonly string[];
}

/** @param kept certificates that were kept outside of the database */
export function verifyImports(db: Db, kept: readonly SignedText[] = []): Promise<ImportReport> {
  return unlimited(db, async (tx) => {
    const problems = await checkCertificates(tx, kept);
    for (const check of [POSTINGS, PEOPLE, PURCHASES])
      problems.push(
        ...(await tx.query<{ problem: string }>(check)).rows.map(({ problem }) => problem),
      );
    const { rows } = await tx.query<{ rows: number; certificates: number }>(
      `select (select count(*)::int from imported_row) as rows,
        (select count(*)::int from import_certificate) as certificates`,
    );
    return { rows: 0, certificates: 0, ...rows[0], problems };
  });
}
