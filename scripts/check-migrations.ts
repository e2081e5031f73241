/**
 * Refuses migrations that lock or rewrite a table of a running service for long: instances of the
 * version before serve requests meanwhile (CONTRIBUTING, "Add a migration"); and those that fail
 * where an operator has added a row. Migrations up to 0023 are older than the first release: no
 * database has rows when they run.
 */
import { parse } from 'libpg-query';
import { type Migration, migrationMode, readMigrations } from '../service/src/db/migrations.ts';

/** The last migration of databases that had no rows. */
const LAST_UNCHECKED = 23;

/** Tables of a few hundred rows at most: changing them takes no time. */
const SMALL_TABLES: ReadonlySet<string> = new Set([
  ...['application_role', 'currency', 'deposit_wallet', 'ledger_shard', 'network'],
  ...['payout_policy', 'payout_stop', 'price_feed', 'protected_table', 'reference_data_version'],
  ...['reward_rules', 'schema_migration', 'token', 'transaction_type', 'wallet_kind', 'webhook'],
]);

/** Tables whose rows operators add too. */
const SHARED_WITH_OPERATORS: ReadonlySet<string> = new Set([
  ...['application_role', 'currency', 'network', 'price_feed', 'token', 'transaction_type'],
  ...['wallet_kind', 'webhook'],
]);

/** A node of PostgreSQL's parse tree: https://github.com/pganalyze/libpg_query. */
type Tree = Readonly<Record<string, unknown>>;

interface Constraint extends Tree {
  readonly contype: string;
  readonly conname?: string;
  readonly skip_validation?: boolean;
  readonly indexname?: string;
  readonly raw_expr?: Tree;
}

interface Command {
  readonly subtype: string;
  readonly name?: string;
  readonly def?: { readonly ColumnDef?: Tree; readonly Constraint?: Constraint };
}

const relationOf = (statement: Tree): string =>
  (statement.relation as { relname?: string } | undefined)?.relname ?? '';

/** A default that is one value for all rows is stored once; PostgreSQL rewrites others. */
function addsColumnSafely(column: Tree): string | undefined {
  const constraints = ((column.constraints ?? []) as { Constraint: Constraint }[]).map(
    ({ Constraint }) => Constraint,
  );
  const byType = (type: string): Constraint | undefined =>
    constraints.find(({ contype }) => contype === type);
  const value = byType('CONSTR_DEFAULT')?.raw_expr;
  if (value && 'FuncCall' in value)
    return 'adds a column whose default is computed for each row, which rewrites the table';
  if (byType('CONSTR_NOTNULL') && !value)
    return 'adds a column that is not null and has no default: the version before inserts none';
  if (byType('CONSTR_GENERATED') || byType('CONSTR_IDENTITY'))
    return 'adds a computed column, which rewrites the table';
  if (byType('CONSTR_UNIQUE') || byType('CONSTR_PRIMARY') || byType('CONSTR_FOREIGN'))
    return 'adds a key with a column: add the key by itself';
  return undefined;
}

function addsConstraintSafely({ contype, skip_validation, indexname }: Constraint) {
  if (contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN')
    return skip_validation
      ? undefined
      : 'adds a constraint and reads the whole table: add it `not valid`, and validate it in a ' +
          'later migration';
  return indexname === undefined
    ? 'builds the index of a key while writers wait: create it `_concurrently`, then `using index`'
    : undefined;
}

/** Commands of `alter table`, and why they are refused. */
const COMMANDS: Readonly<Record<string, (command: Command) => string | undefined>> = {
  AT_AddColumn: ({ def }) => addsColumnSafely(def?.ColumnDef ?? {}),
  AT_AddConstraint: ({ def }) => def?.Constraint && addsConstraintSafely(def.Constraint),
  AT_AlterColumnType: () => 'changes the type of a column, which may rewrite the table',
  AT_SetNotNull: () =>
    'reads the whole table for `not null`: use a check that was added `not valid`, then validated',
  AT_SetLogged: () => 'rewrites the table',
  AT_SetUnLogged: () => 'rewrites the table',
  AT_SetTableSpace: () => 'rewrites the table',
};

const CONTRACTS: ReadonlySet<string> = new Set(['AT_DropColumn', 'AT_DropConstraint']);

const isBounded = (statement: Tree): boolean => JSON.stringify(statement).includes('limitCount');

interface Context {
  readonly mode: ReturnType<typeof migrationMode>;
  /** The name ends with `_contract`: what no release in use reads any more goes. */
  readonly isContract: boolean;
  /** Tables that the migration creates. */
  readonly created: ReadonlySet<string>;
  /** Checks that the migration adds, as `table.check`. */
  readonly checks: ReadonlySet<string>;
}

const commandsOf = (statement: Tree): Command[] =>
  (statement.cmds as { AlterTableCmd: Command }[]).map(({ AlterTableCmd }) => AlterTableCmd);

function checksOf(statement: Tree): string[] {
  return commandsOf(statement)
    .map(({ def }) => def?.Constraint)
    .filter((constraint) => constraint?.contype === 'CONSTR_CHECK')
    .map((check) => `${relationOf(statement)}.${check?.conname}`);
}

const mayLock = (table: string, { created }: Context): boolean =>
  !created.has(table) && !SMALL_TABLES.has(table);

function checkChange(kind: string, statement: Tree, context: Context): string | undefined {
  const table = relationOf(statement);
  if (!mayLock(table, context)) return undefined;
  if (context.mode === 'backfill')
    return isBounded(statement) ? undefined : `${kind} all rows of ${table}: it needs a limit`;
  return `${kind} rows of ${table}: that belongs into a migration whose name ends with _backfill`;
}

type Rule = (statement: Tree, context: Context) => string | undefined;

/** Kinds of statements, and why they are refused. */
const RULES: Readonly<Record<string, Rule>> = {
  AlterTableStmt: (statement, context) => {
    const table = relationOf(statement);
    if (!mayLock(table, context)) return undefined;
    for (const command of commandsOf(statement)) {
      const reason = COMMANDS[command.subtype]?.(command);
      if (reason !== undefined) return `${table}: ${reason}`;
      // A check that is added again under its name is replaced, to allow a value more.
      const isReplaced = context.checks.has(`${table}.${command.name}`);
      if (CONTRACTS.has(command.subtype) && !isReplaced && !context.isContract)
        return `${table}: drops what the version before may use: that waits for a _contract`;
    }
    return undefined;
  },
  IndexStmt: (statement, context) =>
    mayLock(relationOf(statement), context) && !statement.concurrent
      ? `${relationOf(statement)}: builds an index while writers wait: create it _concurrently`
      : undefined,
  RenameStmt: (statement, context) =>
    context.created.has(relationOf(statement))
      ? undefined
      : 'renames what the version before uses: add the new one, fill it, drop the old one later',
  DropStmt: ({ removeType, concurrent }, { isContract }) =>
    isContract || concurrent === true || removeType === 'OBJECT_TRIGGER'
      ? undefined
      : 'drops what the version before may use: that waits for a _contract',
  InsertStmt: (statement) =>
    SHARED_WITH_OPERATORS.has(relationOf(statement)) && !('onConflictClause' in statement)
      ? `adds a row to ${relationOf(statement)} that operators may have: it needs \`on conflict\``
      : undefined,
  UpdateStmt: (statement, context) => checkChange('updates', statement, context),
  DeleteStmt: (statement, context) => checkChange('deletes', statement, context),
  TruncateStmt: () => 'empties a table',
  LockStmt: () => 'locks a table by itself',
  VacuumStmt: (statement) =>
    statement.is_vacuumcmd === true ? 'vacuums: that cannot run in a transaction' : undefined,
  ClusterStmt: () => 'rewrites the table',
};

async function parseAll(sql: string): Promise<[kind: string, statement: Tree][]> {
  const { stmts = [] } = (await parse(sql)) as { stmts?: { stmt: Record<string, Tree> }[] };
  return stmts.flatMap(({ stmt }) => Object.entries(stmt));
}

/** What in a migration would stop a running service, one sentence each. */
export async function checkMigration({ name, files }: Migration): Promise<string[]> {
  const mode = migrationMode(name);
  const problems: string[] = [];
  const created = new Set<string>();
  const parsed = await Promise.all(
    files.map(async ({ path, sql }) => ({ path, statements: await parseAll(sql) })),
  );
  const checks = new Set(
    parsed
      .flatMap(({ statements }) => statements)
      .flatMap(([kind, statement]) => (kind === 'AlterTableStmt' ? checksOf(statement) : [])),
  );
  const context = { mode, isContract: name.endsWith('_contract'), created, checks };
  for (const { path, statements } of parsed) {
    if (mode !== 'transaction' && statements.length !== 1)
      problems.push(`${path}: a file of this kind of migration has one statement`);
    for (const [kind, statement] of statements) {
      if (kind === 'CreateStmt') created.add(relationOf(statement));
      if (kind === 'IndexStmt' && statement.concurrent === true && mode !== 'concurrent')
        problems.push(`${path}: the name of the migration must end with _concurrently`);
      const reason = RULES[kind]?.(statement, context);
      if (reason !== undefined) problems.push(`${path}: ${reason}`);
    }
  }
  return problems;
}

if (import.meta.main) {
  const checked = readMigrations().filter(({ name }) => Number(name.slice(0, 4)) > LAST_UNCHECKED);
  const problems = (await Promise.all(checked.map(checkMigration))).flat();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
