/**
 * The certificate of an import: totals of the files beside those of the service, by table and
 * currency, signed with the key that signs the heads of the ledger.
 */
import { type Db, queryNamed, type Transaction } from '../db/index.ts';
import { type SignedText, signText } from '../ledger/index.ts';
import { formatAmount } from '../lib/money.ts';
import type { FileCounts } from './stage-file.ts';
import { unlimited } from './stage-sql.ts';

export const CERTIFICATE_TYPE = 'edge-account import certificate';

export interface CertifiedFile {
  readonly file: string;
  readonly sha256: string;
  /** Rows of the file; those older than `--since`; and those that were rejected. */
  readonly rows: number;
  readonly skipped: number;
  readonly rejected: number;
  /** Rows that the file has accepted, and rows of the service that are from them. */
  readonly accepted: number;
  readonly here: number;
}

export interface CertifiedTotal {
  readonly file: string;
  readonly wallet: string;
  readonly currency: string;
  /** Sum of the accepted rows of the file, and of what the service has of them. */
  readonly source: string;
  readonly here: string;
  /** Sum of the rejected rows of the file whose amount could be read; it is in neither. */
  readonly rejected: string;
}

export interface CertificateBody {
  readonly type: typeof CERTIFICATE_TYPE;
  readonly version: 1;
  readonly made_at: string;
  readonly since: string | null;
  readonly files: readonly CertifiedFile[];
  readonly totals: readonly CertifiedTotal[];
  /** What users sign in with: an MD5, a hash over it, or a password that they set by a reset. */
  readonly passwords: Readonly<Record<'md5' | 'hash' | 'reset', number>>;
  /** True when every figure of the source equals the one beside it. */
  readonly agrees: boolean;
}

const ACCEPTED = `import_stage s where not exists (
    select from import_reject r where r.file = s.file and r.line = s.line)`;

/** Rows of the service that are from accepted rows; counted in the tables themselves. */
const COUNTS = `with accepted as materialized (
    select s.file, s.key, s.user_id from ${ACCEPTED})
  select file, count(*)::int as accepted, count(*) filter (where case file
      when 'people' then exists (select from app_user u where u.id = a.user_id)
      when 'devices' then exists (
        select from device d where d.user_id = a.user_id and d.node_id = a.key)
      when 'deposit_addresses' then exists (
        select from deposit_address d where d.user_id = a.user_id
          and d.family || '/' || d.address_key = a.key)
      else exists (select from imported_row i where i.file = a.file and i.key = a.key)
    end)::int as here
  from accepted a group by file`;

/** What the postings of the import moved on the accounts that the balances name. */
const BALANCE_TOTALS = `with named as materialized (
    select s.wallet, s.currency, s.amount, s.user_id * 32 + k.id as wallet_id, c.id as currency_id
    from import_stage s join wallet_kind k on k.code = s.wallet
      join currency c on c.code = s.currency
    where s.file = 'balances' and not exists (
      select from import_reject r where r.file = s.file and r.line = s.line)
  ), moved as (
    select greatest(credit_wallet, debit_wallet) as wallet_id, currency_id,
      sum(case when credit_wallet > 0 then amount else -amount end) as amount
    from transfer
    where idempotency_key >= 'import/b' and idempotency_key < 'import/c'
    group by 1, 2
  )
  select 'balances' as file, n.wallet, n.currency, sum(n.amount)::text as source,
    coalesce(sum(m.amount), 0)::text as here
  from named n left join moved m on m.wallet_id = n.wallet_id and m.currency_id = n.currency_id
  group by 2, 3`;

/** What the recorded postings of accepted bills and purchases moved. */
const ROW_TOTALS = `select s.file, coalesce(s.wallet, '') as wallet, s.currency,
    sum(s.amount)::text as source,
    coalesce(sum(case s.file when 'bills' then case when t.credit_wallet > 0 then t.amount
      else -t.amount end else p.amount - p.refunded end), 0)::text as here
  from import_stage s
  left join imported_row i on i.file = s.file and i.key = s.key
  left join transfer t on t.idempotency_key = 'import/' || s.file || '/' || s.key || '/'
    || i.revision || case s.file when 'purchases' then '/purchase' else '' end
  left join package_purchase p on p.transfer_id = t.id
  where s.file in ('bills', 'purchases') and not exists (
    select from import_reject r where r.file = s.file and r.line = s.line)
  group by 1, 2, 3`;

const REJECTED_TOTALS = `select s.file, coalesce(s.wallet, '') as wallet, s.currency,
    sum(s.amount)::text as rejected
  from import_stage s
  where s.file in ('balances', 'bills', 'purchases') and exists (
    select from import_reject r where r.file = s.file and r.line = s.line)
  group by 1, 2, 3`;

const PASSWORDS = `select s.password_kind as kind, count(*)::int as count
  from ${ACCEPTED} and s.file = 'people' and s.password_kind is not null group by 1`;

/** What one of the queries knows of a total. */
type TotalRow = Pick<CertifiedTotal, 'file' | 'wallet' | 'currency'> & Partial<CertifiedTotal>;

async function readTotals(tx: Transaction): Promise<CertifiedTotal[]> {
  const { rows: scales } = await tx.query<{ code: string; scale: number }>(
    'select code, scale from currency',
  );
  const scaleOf = new Map(scales.map(({ code, scale }) => [code, scale]));
  const totals = new Map<string, CertifiedTotal>();
  for (const query of [BALANCE_TOTALS, ROW_TOTALS, REJECTED_TOTALS]) {
    for (const row of (await tx.query<TotalRow>(query)).rows) {
      const key = `${row.file} ${row.wallet} ${row.currency}`;
      totals.set(key, { source: '0', here: '0', rejected: '0', ...totals.get(key), ...row });
    }
  }
  return [...totals.values()]
    .map(({ file, wallet, currency, source, here, rejected }) => {
      const print = (minor: string): string => formatAmount(minor, scaleOf.get(currency) ?? 0);
      return {
        ...{ file, wallet, currency },
        ...{ source: print(source), here: print(here), rejected: print(rejected) },
      };
    })
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

async function readFiles(
  tx: Transaction,
  counts: readonly FileCounts[],
  rejected: ReadonlyMap<string, number>,
): Promise<CertifiedFile[]> {
  const { rows } = await tx.query<{ file: string; accepted: number; here: number }>(COUNTS);
  const byFile = new Map(rows.map((row) => [row.file, row]));
  return counts.map(({ name: file, sha256, rows: all, skipped }) => ({
    file,
    sha256,
    rows: all,
    skipped,
    rejected: rejected.get(file) ?? 0,
    accepted: byFile.get(file)?.accepted ?? 0,
    here: byFile.get(file)?.here ?? 0,
  }));
}

export interface CertifyInput {
  readonly counts: readonly FileCounts[];
  readonly rejected: ReadonlyMap<string, number>;
  readonly since: Date | undefined;
  readonly now: Date;
}

export interface Certificate extends SignedText {
  readonly content: CertificateBody;
}

const INSERT = `insert into import_certificate (body, signature, kid, created_at)
  values (:body, :signature, :kid, :now)`;

/** Counts, signs and keeps a certificate; the staging tables are still there. */
export function certify(db: Db, input: CertifyInput): Promise<Certificate> {
  const { counts, rejected, since, now } = input;
  return unlimited(db, async (tx) => {
    const files = await readFiles(tx, counts, rejected);
    const totals = await readTotals(tx);
    const { rows } = await tx.query<{ kind: 'md5' | 'hash' | 'reset'; count: number }>(PASSWORDS);
    const countOf = (kind: 'md5' | 'hash' | 'reset'): number =>
      rows.find((row) => row.kind === kind)?.count ?? 0;
    const content: CertificateBody = {
      type: CERTIFICATE_TYPE,
      version: 1,
      made_at: now.toISOString(),
      since: since?.toISOString() ?? null,
      files,
      totals,
      passwords: { md5: countOf('md5'), hash: countOf('hash'), reset: countOf('reset') },
      agrees:
        files.every(({ accepted, here }) => accepted === here) &&
        totals.every(({ source, here }) => source === here),
    };
    const signed = await signText(tx, JSON.stringify(content));
    const { body, signature, kid } = signed;
    await queryNamed(tx, INSERT, { body, signature, kid, now });
    return { ...signed, content };
  });
}
