/** What every command begins with: configuration, database with its migrations, master key. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import {
  type Database,
  listMissingMigrations,
  migrate,
  openEmbedded,
  openServer,
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

export interface CommandPlatform {
  readonly config: Config;
  readonly database: Database;
  readonly masterKey: MasterKey;
}

async function openDatabase(config: Config, isReplica: boolean): Promise<Database> {
  if (config.DATABASE_URL === undefined)
    return openEmbedded({ directory: join(config.DATA_DIR, 'database') });
  const onError = (error: Error): void => console.error(`database connection: ${error.message}`);
  try {
    return await openServer({
      url: config.DATABASE_URL,
      ...(config.DATABASE_DIRECT_URL !== undefined && { directUrl: config.DATABASE_DIRECT_URL }),
      poolSize: config.DATABASE_POOL_SIZE,
      isReplica,
      onError,
    });
  } catch (error) {
    throw new CommandError(
      `DATABASE_URL does not answer: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

export interface OpenOptions {
  /** Configuration given on the command line. */
  readonly overrides?: Readonly<Record<string, string>>;
  /**
   * For commands that look at what is there: a folder without a database is a mistake, not a new
   * installation.
   */
  readonly mustExist?: boolean;
  /**
   * For commands that only read, on a replica, too: nothing is written to a server. The embedded
   * database has no other process that would migrate it.
   */
  readonly isReadOnly?: boolean;
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
    `the database lacks migration ${missing}: run \`edge-account migrate\` on its primary first`,
  );
}

/** Opens everything; migrations run first. Close the database when done. */
export async function openPlatform({
  overrides = {},
  mustExist = false,
  isReadOnly = false,
}: OpenOptions = {}): Promise<CommandPlatform> {
  const config = readConfig({ ...process.env, ...overrides });
  if (mustExist) checkExists(config);
  // The key first: a database without its key is of no use, and must not come to be.
  const masterKey = loadMasterKey(config);
  const database = await openDatabase(config, isReadOnly);
  const writesNothing = isReadOnly && database.kind === 'server';
  if (writesNothing) await checkMigrations(database);
  else await migrate(database);
  installPersonKeys(database, masterKey);
  if (await isKeyOf(database, masterKey, { isReadOnly: writesNothing }))
    return { config, database, masterKey };
  await database.close();
  throw new CommandError('MASTER_KEY is not the key that this database was made with');
}
