/**
 * Privileges of application roles: the roles that instances run with when they do not own the
 * schema. They read and write rows; what must not be lost they cannot delete, and what must not
 * change they cannot update (`protected_table`).
 */
import pg from 'pg';
import { queryNamed } from './statement.ts';
import { transaction } from './transaction.ts';
import type { Database, Transaction } from './types.ts';

/** The role cannot be an application role. */
export class UnfitRole extends Error {
  constructor(role: string, reason: string) {
    super(`${role} cannot be an application role: ${reason}`);
    this.name = 'UnfitRole';
  }
}

/** Tables that only migrations write, and functions that run as the owner. */
const OWNER_TABLES = ['schema_migration', 'application_role', 'protected_table', 'entry_pack'];

/** Functions that run as the owner of the schema. */
const OWNER_FUNCTIONS = [
  'refresh_statistics(regclass)',
  'remove_archived_lines(regclass, bigint, int)',
  'pack_entries(regclass, date, bigint[], bigint[], bigint[])',
];

/** A schema of an earlier version does not have all of them. */
async function grantExecute(tx: Transaction, routine: string, role: string): Promise<void> {
  const { rows } = await queryNamed<{ exists: boolean }>(
    tx,
    'select to_regprocedure(:routine) is not null as exists',
    { routine },
  );
  if (rows[0]?.exists) await tx.query(`grant execute on function ${routine} to ${role}`);
}

const READ_ROLE = `select rolsuper or pg_has_role(:name, current_user, 'member') as is_owner
  from pg_roles where rolname = :name`;

async function checkRole(tx: Transaction, name: string): Promise<void> {
  const { rows } = await queryNamed<{ is_owner: boolean }>(tx, READ_ROLE, { name });
  if (!rows[0])
    throw new UnfitRole(name, "it does not exist: create role … login password '…' first");
  if (rows[0].is_owner)
    throw new UnfitRole(name, 'it is a superuser, or has the privileges of the schema’s owner');
}

/** Tables by what application roles may do with them beside reading. */
async function readTables(tx: Transaction): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await queryNamed<{ privileges: string; tables: string[] }>(
    tx,
    `select privileges, array_agg(name order by name) as tables from (
       select format('%I.%I', n.nspname, c.relname) as name,
         case when p.name is null then 'insert, update, delete'
           when p.may_update then 'insert, update' else 'insert' end as privileges
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       left join protected_table p on p.name = c.relname
       where n.nspname = current_schema and c.relkind in ('r', 'p')
         and c.relname <> all (:owner_tables)) t
     group by privileges`,
    { owner_tables: OWNER_TABLES },
  );
  return new Map(rows.map(({ privileges, tables }) => [privileges, tables]));
}

async function readNames(tx: Transaction): Promise<{ schema: string; database: string }> {
  const { rows } = await tx.query<{ schema: string; database: string }>(
    `select quote_ident(current_schema) as schema, quote_ident(current_database()) as database`,
  );
  if (!rows[0]) throw new Error('the database has no current schema');
  return rows[0];
}

async function grantAll(tx: Transaction, name: string): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const { schema, database } = await readNames(tx);
  // What a table's protection no longer allows must go, too.
  await tx.query(`revoke all on all tables in schema ${schema} from ${role}`);
  await tx.query(`grant connect, temporary on database ${database} to ${role}`);
  await tx.query(`grant usage on schema ${schema} to ${role}`);
  await tx.query(`grant select on all tables in schema ${schema} to ${role}`);
  await tx.query(`grant usage on all sequences in schema ${schema} to ${role}`);
  for (const routine of OWNER_FUNCTIONS) await grantExecute(tx, routine, role);
  for (const [privileges, tables] of await readTables(tx))
    await tx.query(`grant ${privileges} on ${tables.join(', ')} to ${role}`);
  const { rows } = await queryNamed<{ may_create: boolean }>(
    tx,
    "select has_schema_privilege(:name, current_schema, 'create') as may_create",
    { name },
  );
  if (rows[0]?.may_create)
    throw new UnfitRole(name, `first revoke create on schema ${schema} from public (and from it)`);
}

/**
 * Makes a role an application role: it is granted what an instance needs, now and after each later
 * migration. Safe to run twice. For the owner of the schema.
 * @throws UnfitRole
 */
export async function addApplicationRole(database: Database, name: string): Promise<void> {
  await transaction(database, async (tx) => {
    await checkRole(tx, name);
    await queryNamed(
      tx,
      'insert into application_role (name) values (:name) on conflict (name) do nothing',
      { name },
    );
    await grantAll(tx, name);
  });
}

/**
 * Grants the application roles what they need of the present schema. A role that does not exist is
 * left out: a restored database may be in a cluster without it.
 */
export async function grantApplicationRoles(tx: Transaction): Promise<void> {
  const { rows: tables } = await tx.query<{ is_there: boolean }>(
    "select to_regclass('application_role') is not null as is_there",
  );
  if (!tables[0]?.is_there) return;
  const { rows } = await tx.query<{ name: string }>(
    `select name from application_role where name in (select rolname from pg_roles) order by name`,
  );
  for (const { name } of rows) await grantAll(tx, name);
}
