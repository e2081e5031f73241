/** Compares the staged rows with each other and with the database, and rejects what conflicts. */
import type { Db, Transaction } from '../db/index.ts';
import { SINGLE_ADDRESSES } from '../deposits/index.ts';
import { checkPostings } from './check-postings.ts';
import { NOT_REJECTED, reject, runAll, unlimited } from './stage-sql.ts';

/** Of rows that share what must be unique the first stays; `column` is null where it is absent. */
const repeated = (column: string, field: string, where = 'true'): string =>
  reject(`select s.file, s.line, ${field}, 'duplicate',
      'is the same as in line ' || d.first
    from (
      select file, ${column} as value, min(line) as first from import_stage
      where ${column} is not null and ${where} group by 1, 2 having count(*) > 1
    ) d join import_stage s on s.file = d.file and s.${column} = d.value and s.line > d.first`);

const KEY_FIELD = `case s.file when 'devices' then 'node_id' when 'deposit_addresses' then 'address'
  when 'balances' then 'user_id' else 'id' end`;

/** Users that are there, and were not imported. */
const ID_TAKEN = reject(`select s.file, s.line, 'id', 'taken',
    'is the id of a user who was not imported'
  from import_stage s join app_user u on u.id = s.user_id
  where s.file = 'people'
    and not exists (select from imported_row i where i.file = 'people' and i.key = s.key)`);

/** Held by a user here, whom no accepted row gives another one. */
const taken = (column: string, field: string, where = 'true'): string =>
  reject(`select s.file, s.line, '${field}', 'taken', 'belongs to another user'
    from import_stage s join app_user u on u.${column} = s.${column}
    where s.file = 'people' and u.id <> s.user_id and ${where} and not exists (
      select from import_stage p
      where p.file = 'people' and p.key = u.id::text and p.${column} <> u.${column}
        and ${NOT_REJECTED('p')})`);
const TAKEN = [
  ['email_key', 'email'],
  ['referral_code', 'referral_code'],
] as const;

/** What differs of a profile that was changed here. */
const CHANGED_HERE = reject(`select s.file, s.line, f.field, 'changed_here',
    format('was changed in this service, to %s; --overwrite applies the row', f.here)
  from import_stage s
  join imported_row i on i.file = s.file and i.key = s.key
  join app_user u on u.id = s.user_id
  cross join lateral (values
    ('email', u.email, s.data::json ->> 'email'),
    ('nickname', u.nickname, s.data::json ->> 'nickname'),
    ('status', u.status, s.data::json ->> 'status')) f (field, here, source)
  where s.file = 'people' and i.digest <> decode(s.digest, 'hex')
    and u.profile_changed_at is not null and u.status <> 'closed'
    and f.here is distinct from f.source`);

const REFERRER_CHANGED = reject(`select s.file, s.line, 'referrer', 'changed',
    'is another one than before; a referrer never changes'
  from import_stage s
  join imported_row i on i.file = 'people' and i.key = s.key
  join app_user u on u.id = s.user_id
  where s.file = 'people' and u.referrer_id is distinct from s.referrer_id`);

/** Again until nothing is found: a referral of a rejected user has no referrer either. */
const REFERRER_MISSING = reject(`select s.file, s.line, 'referrer', 'unknown',
    'is no user, and no accepted row of the file'
  from import_stage s
  where s.file = 'people' and s.referrer_id is not null and ${NOT_REJECTED('s')}
    and not exists (select from app_user u where u.id = s.referrer_id)
    and not exists (
      select from import_stage p
      where p.file = 'people' and p.key = s.referrer_id::text and ${NOT_REJECTED('p')})`);

const OWNER_MISSING = reject(`select s.file, s.line, 'user_id', 'unknown',
    'is no user, and no accepted row of people'
  from import_stage s
  where s.file <> 'people'
    and not exists (select from app_user u where u.id = s.user_id)
    and not exists (
      select from import_stage p
      where p.file = 'people' and p.key = s.user_id::text and ${NOT_REJECTED('p')})`);

const NODE_TAKEN = reject(`select s.file, s.line, 'node_id', 'taken', 'belongs to another user'
  from import_stage s join device d on d.node_id = s.key and d.cut is distinct from 'deleted'
  where s.file = 'devices' and d.user_id <> s.user_id`);

const ADDRESS_TAKEN = reject(`select s.file, s.line, 'address', 'taken', 'belongs to another user'
  from import_stage s
  join deposit_address d
    on d.family = split_part(s.key, '/', 1) and d.address_key = split_part(s.key, '/', 2)
  where s.file = 'deposit_addresses' and d.user_id <> s.user_id`);

/** An address for each user and account key; the first stays, as `importAddresses` has it. */
const ADDRESS_REPEATED = reject(`select file, line, 'address', 'taken',
    'belongs to a user, or its user has one of the same key'
  from (
    select s.file, s.line,
      exists (
        select from deposit_address d join deposit_wallet w on w.id = d.wallet_id
        where d.user_id = s.user_id and d.family = k.family
          and (w.xpub = k.xpub or d.address_key = split_part(s.key, '/', 2))) as is_there,
      row_number() over (partition by s.user_id, k.family, k.xpub order by s.line) as n
    from import_stage s
    cross join lateral (select split_part(s.key, '/', 1) as family,
      coalesce(s.data::json ->> 'xpub', $1) as xpub) k
    where s.file = 'deposit_addresses' and ${NOT_REJECTED('s')}
      and not exists (select from imported_row i where i.file = s.file and i.key = s.key)
  ) a where is_there or n > 1`);

const CLOSED = reject(`select s.file, s.line, 'id', 'closed',
    'was closed in this service, and a closed account does not change'
  from import_stage s
  join imported_row i on i.file = s.file and i.key = s.key
  join app_user u on u.id = s.user_id
  where s.file = 'people' and i.digest <> decode(s.digest, 'hex')
    and u.status = 'closed' and s.data::json ->> 'status' <> 'closed'`);

/** A changed row without `--since`, and rows that cannot change. */
const changed = (where: string, message: string): string =>
  reject(`select s.file, s.line, 'row', 'changed', '${message}'
    from import_stage s join imported_row i on i.file = s.file and i.key = s.key
    where i.digest <> decode(s.digest, 'hex') and ${where}`);

/** The erasure of an account leaves no digest to compare. */
const CHANGED = changed(
  'length(i.digest) > 0',
  'differs from what was imported; --since applies changes',
);
const FIXED = changed(
  `s.file in ('bills', 'deposit_addresses', 'purchases')`,
  'differs from what was imported, and cannot change',
);
const OTHER_OWNER = reject(`select s.file, s.line, 'user_id', 'changed',
    'is another user than before'
  from import_stage s join imported_row i on i.file = s.file and i.key = s.key
  where i.user_id <> s.user_id`);

/** Who keeps an address keeps it from the next one. @returns whether rows were rejected */
async function rejectTaken(tx: Transaction): Promise<boolean> {
  let count = 0;
  for (const [column, field] of TAKEN)
    count += (await tx.query(taken(column, field, NOT_REJECTED('s')))).rowCount;
  return count > 0;
}

export interface CheckOptions {
  /** `--since`: rows that changed are applied. */
  readonly takesChanges: boolean;
  /** `--overwrite`: also where this service has another value. */
  readonly overwrites: boolean;
}

/**
 * Rejects staged rows that conflict.
 */
export async function checkStaged(
  db: Db,
  { takesChanges, overwrites }: CheckOptions,
): Promise<void> {
  await unlimited(db, async (tx) => {
    await runAll(tx, [
      repeated('key', KEY_FIELD),
      repeated('email_key', `'email'`),
      repeated('referral_code', `'referral_code'`),
      ID_TAKEN,
      REFERRER_CHANGED,
      OTHER_OWNER,
      CLOSED,
      takesChanges ? FIXED : CHANGED,
      ...(takesChanges && !overwrites ? [CHANGED_HERE] : []),
      ...TAKEN.map(([column, field]) => taken(column, field)),
      NODE_TAKEN,
      ADDRESS_TAKEN,
    ]);
    while (await rejectTaken(tx));
    while ((await tx.query(REFERRER_MISSING)).rowCount > 0);
    await tx.query(OWNER_MISSING);
    await tx.query(ADDRESS_REPEATED, [SINGLE_ADDRESSES]);
    await tx.query('analyze import_reject');
  });
  await checkPostings(db);
}
