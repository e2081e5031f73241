/** What every command begins with: configuration, database with its migrations, master key. */
import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { type Database, migrate, openEmbedded, openServer } from '../db/index.ts';
import { loadMasterKey, type MasterKey } from '../master-key.ts';

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

async function openDatabase(config: Config): Promise<Database> {
  if (config.DATABASE_URL === undefined) return openEmbedded({ directory: join(config.DATA_DIR, 'database') });
  const onError = (error: Error): void => console.error(`database connection: ${error.message}`);
  try {
    return await openServer({
      url: config.DATABASE_URL,
      ...(config.DATABASE_DIRECT_URL !== undefined && { directUrl: config.DATABASE_DIRECT_URL }),
      poolSize: config.DATABASE_POOL_SIZE,
      onError,
    });
  } catch (error) {
    throw new CommandError(`DATABASE_URL does not answer: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Opens everything; migrations run first. Close the database when done.
 * @param overrides configuration given on the command line
 */
export async function openPlatform(overrides: Readonly<Record<string, string>> = {}): Promise<CommandPlatform> {
  const config = readConfig({ ...process.env, ...overrides });
  // The key first: a database without its key is of no use, and must not come to be.
  const masterKey = loadMasterKey(config);
  const database = await openDatabase(config);
  await migrate(database);
  return { config, database, masterKey };
}
