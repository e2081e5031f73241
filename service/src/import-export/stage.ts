/**
 * The staging tables: rows of the files before they are compared with each other and applied.
 * Unlogged, because each run fills them again, and dropped at its end.
 */
import { type Db, plainArray, queryNamed, textArray } from '../db/index.ts';
import type { Reject, StagedRow } from './parse-row.ts';
import type { FileName } from './schemas.ts';
import { unlimited } from './stage-sql.ts';

const DROP = `drop table if exists import_stage, import_reject, import_bill_sum,
  import_counter`;

const CREATE = [
  DROP,
  `create unlogged table import_stage (
    file text not null,
    line int not null,
    key text collate "C" not null,
    user_id bigint not null,
    position bigint not null,
    referrer_id bigint,
    email_key text,
    referral_code text,
    currency text,
    wallet text,
    password_kind text,
    amount numeric(78,0),
    counter text,
    counter_change numeric(78,0),
    digest text not null,
    data text not null
  )`,
  `create unlogged table import_reject (
    file text not null, line int not null, field text not null, code text not null,
    message text not null
  )`,
];

/** Makes empty staging tables. */
export async function createStage(db: Db): Promise<void> {
  for (const statement of CREATE) await db.query(statement);
}

export async function dropStage(db: Db): Promise<void> {
  await db.query(DROP);
}

const INSERT = `insert into import_stage (file, line, key, user_id, position, referrer_id,
    email_key, referral_code, currency, wallet, password_kind, amount, counter, counter_change,
    digest, data)
  select :file, * from unnest(:lines::int[], :keys::text[], :user_ids::bigint[],
    :positions::bigint[], :referrer_ids::bigint[], :email_keys::text[], :referral_codes::text[],
    :currencies::text[], :wallets::text[], :password_kinds::text[], :amounts::numeric[],
    :counters::text[], :counter_changes::numeric[], :digests::text[], :data::text[])`;

export async function insertStaged(
  db: Db,
  file: FileName,
  rows: readonly StagedRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const texts = (read: (row: StagedRow) => string | undefined): string =>
    textArray(rows.map((row) => read(row) ?? null));
  await queryNamed(db, INSERT, {
    file,
    lines: plainArray(rows.map(({ line }) => line)),
    keys: texts(({ key }) => key),
    user_ids: plainArray(rows.map(({ userId }) => userId)),
    positions: plainArray(rows.map(({ position, line }) => position ?? line)),
    referrer_ids: plainArray(rows.map(({ referrerId }) => referrerId ?? null)),
    email_keys: texts(({ emailKey }) => emailKey),
    referral_codes: texts(({ referralCode }) => referralCode),
    currencies: texts(({ currency }) => currency),
    wallets: texts(({ wallet }) => wallet),
    password_kinds: texts(({ passwordKind }) => passwordKind),
    amounts: plainArray(rows.map(({ amount }) => amount ?? null)),
    counters: texts(({ counter }) => counter),
    counter_changes: plainArray(rows.map(({ counterChange }) => counterChange ?? null)),
    digests: plainArray(rows.map(({ digest }) => digest)),
    data: texts(({ text }) => text),
  });
}

const REJECT = `insert into import_reject (file, line, field, code, message)
  select * from unnest(:files::text[], :lines::int[], :fields::text[], :codes::text[],
    :messages::text[])`;

const FIELD_MAX = 64;

export async function insertRejects(db: Db, rejects: readonly Reject[]): Promise<void> {
  if (rejects.length === 0) return;
  const clean = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
  await queryNamed(db, REJECT, {
    files: textArray(rejects.map(({ file }) => file)),
    lines: plainArray(rejects.map(({ line }) => line)),
    fields: textArray(rejects.map(({ field }) => clean(field).slice(0, FIELD_MAX))),
    codes: textArray(rejects.map(({ code }) => code)),
    messages: textArray(rejects.map(({ message }) => clean(message))),
  });
}

/** After all rows are staged: what the checks and the application look up. */
export async function indexStage(db: Db): Promise<void> {
  await unlimited(db, async (tx) => {
    await tx.query('create index import_stage_key on import_stage (file, key)');
    await tx.query('create index import_stage_position on import_stage (file, position)');
    await tx.query('create index import_reject_line on import_reject (file, line)');
    await tx.query('analyze import_stage, import_reject');
  });
}

/** A staged row beside what was imported under its key before. */
export interface WorkRow {
  readonly line: number;
  readonly key: string;
  readonly user_id: number;
  readonly position: number;
  readonly amount: string | null;
  readonly digest: string;
  readonly data: string;
  /** Sum of the bills of the same wallet and currency; of balances only. */
  readonly bills: string | null;
  readonly old_digest: string | null;
  readonly old_amount: string | null;
  readonly revision: number | null;
}

/** The lateral forms ask the index once per row, whatever the planner expects of growing tables. */
const workRows = (
  staged: string,
): string => `select s.line, s.key, s.user_id, s.position, s.amount, s.digest, s.data,
    b.amount as bills, encode(i.digest, 'hex') as old_digest, i.amount as old_amount, i.revision
  from (${staged}) s
  left join lateral (
    select * from imported_row where file = s.file and key = s.key limit 1) i on true
  left join lateral (
    select * from import_bill_sum where s.file = 'balances' and key = s.key limit 1) b on true
  where not exists (select from import_reject r where r.file = s.file and r.line = s.line)
  order by s.position`;

const NEXT = workRows(
  `select * from import_stage where file = :file and position > :after
   order by position limit :size`,
);
const FIND = workRows('select * from import_stage where file = :file and key = any(:keys::text[])');

/** The accepted rows of some keys. */
export async function findStaged(
  db: Db,
  file: FileName,
  keys: readonly string[],
): Promise<readonly WorkRow[]> {
  return (await queryNamed<WorkRow>(db, FIND, { file, keys: textArray(keys) })).rows;
}

const LAST = `select max(position) as position from (
    select position from import_stage where file = :file and position > :after
    order by position limit :size
  ) s`;

/** The accepted rows of a file in the order of application, in pieces. */
export async function* readStaged(
  db: Db,
  file: FileName,
  size: number,
): AsyncGenerator<readonly WorkRow[]> {
  for (let after = 0; ; ) {
    const { rows: last } = await queryNamed<{ position: number | null }>(db, LAST, {
      ...{ file, after, size },
    });
    const position = last[0]?.position ?? null;
    if (position === null) return;
    const { rows } = await queryNamed<WorkRow>(db, NEXT, { file, after, size });
    yield rows;
    after = position;
  }
}
