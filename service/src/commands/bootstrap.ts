/** What every command begins with: configuration, database with its migrations, master key. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import {
  addReplica,
  type Database,
  listMissingMigrations,
  migrate,
  openEmbedded,
  openServer,
  runUnaudited,
} from '../db/index.ts';
import { installPersonKeys } from '../identity/index.ts';
import { loadMasterKey, type MasterKey } from '../master-key.ts';
import { isKeyOf } from './check-master-key.ts';

/** Wrong use of a command: printed without a stack. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandError';
  }
}

/**
 * The master key of the installation that runs here, without its database; never makes one.
 * @throws CommandError with the text when there is none
 */
export function loadOwnMasterKey(missing: string): MasterKey {
  const config = readConfig(process.env);
  if (config.MASTER_KEY === undefined && !existsSync(join(config.DATA_DIR, 'master.key')))
    throw new CommandError(missing);
  return loadMasterKey(config);
}

export interface CommandPlatform {
  readonly config: Config;
  readonly database: Database;
  readonly masterKey: MasterKey;
}

const onError = (error: Error): void => console.error(`database connection: ${error.message}`);

/** Where a command connects to, and which setting says so; undefined: the embedded database. */
function findServer(
  config: Config,
  isOwner: boolean,
): { setting: string; url: string; directUrl?: string } | undefined {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_OWNER_URL } = config;
  if (isOwner && DATABASE_OWNER_URL !== undefined)
    return { setting: 'DATABASE_OWNER_URL', url: DATABASE_OWNER_URL };
  if (DATABASE_URL === undefined) return undefined;
  return {
    setting: 'DATABASE_URL',
    url: DATABASE_URL,
    ...(DATABASE_DIRECT_URL !== undefined && { directUrl: DATABASE_DIRECT_URL }),
  };
}

async function openDatabase(
  config: Config,
  { isOwner = false, isReadOnly = false }: OpenOptions,
): Promise<Database> {
  const server = findServer(config, isOwner);
  if (!server) return openEmbedded({ directory: join(config.DATA_DIR, 'database') });
  const { setting, ...urls } = server;
  const poolSize = config.DATABASE_POOL_SIZE;
  try {
    const keepsPrepared = config.DATABASE_PREPARED_STATEMENTS === 'on';
    return await openServer({ ...urls, poolSize, keepsPrepared, isReplica: isReadOnly, onError });
  } catch (error) {
    throw new CommandError(
      `${setting} does not answer: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Adds what DATABASE_READ_URL leads to; the primary's address is the one without a pooler. */
async function withReplica(config: Config, database: Database): Promise<Database> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_READ_URL: url } = config;
  const primaryUrl = DATABASE_DIRECT_URL ?? DATABASE_URL;
  if (url === undefined || primaryUrl === undefined || !config.roles.has('http')) return database;
  return addReplica(database, { url, primaryUrl, poolSize: config.DATABASE_POOL_SIZE, onError });
}

export interface OpenOptions {
  /** Configuration given on the command line. */
  readonly overrides?: Readonly<Record<string, string>>;
  /**
   * For commands that look at what is there: a folder without a database is a mistake, not a new
   * installation.
   */
  readonly mustExist?: boolean;
  /** For commands that only read, on a replica, too: nothing is written to a server. */
  readonly isReadOnly?: boolean;
  /** For `serve`: reads of requests go to the standby of DATABASE_READ_URL, if it is set. */
  readonly readsFromReplica?: boolean;
  /** For commands that change the schema: they connect by DATABASE_OWNER_URL, if it is set. */
  readonly isOwner?: boolean;
  /** A server's database is migrated; without this its migrations are only checked. */
  readonly migrates?: boolean;
}

function checkExists({ DATABASE_URL, DATA_DIR }: Config): void {
  if (DATABASE_URL === undefined && !existsSync(join(DATA_DIR, 'database')))
    throw new CommandError(
      `there is no database in ${resolve(DATA_DIR)}: set DATA_DIR to the folder of the service, ` +
        'or DATABASE_URL',
    );
}

/** @throws CommandError when the schema is older than this version; the database is closed then */
async function checkMigrations(database: Database): Promise<void> {
  const [missing] = await listMissingMigrations(database);
  if (missing === undefined) return;
  await database.close();
  throw new CommandError(
    `the database lacks migration ${missing}: run \`edge-account migrate\` first, on its ` +
      'primary and by the owner of the schema',
  );
}

/** @throws CommandError when the role does not own the schema; the database is closed then */
async function checkOwner(database: Database): Promise<void> {
  const { rows } = await database.query<{ is_owner: boolean }>(
    "select has_schema_privilege(current_schema, 'create') as is_owner",
  );
  if (rows[0]?.is_owner) return;
  await database.close();
  throw new CommandError('this needs the owner of the schema: set DATABASE_OWNER_URL');
}

/**
 * Opens everything. The embedded database is migrated first: no other process would do it. Close
 * the database when done.
 */
export async function openPlatform(options: OpenOptions = {}): Promise<CommandPlatform> {
  const config = readConfig({ ...process.env, ...options.overrides });
  if (options.mustExist) checkExists(config);
  // The key first: a database without its key is of no use, and must not come to be.
  const masterKey = loadMasterKey(config);
  const primary = await openDatabase(config, options);
  const database = options.readsFromReplica ? await withReplica(config, primary) : primary;
  if (options.isOwner) await checkOwner(database);
  // The schema may not have an audit log yet.
  if (database.kind === 'embedded' || options.migrates) await runUnaudited(() => migrate(database));
  else await checkMigrations(database);
  installPersonKeys(database, masterKey);
  const isReadOnly = options.isReadOnly === true && database.kind === 'server';
  if (await isKeyOf(database, masterKey, { isReadOnly })) return { config, database, masterKey };
  await database.close();
  throw new CommandError('MASTER_KEY is not the key that this database was made with');
}
