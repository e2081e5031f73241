/**
 * The clients of a new installation: its own console, and, with an embedded database, an operator
 * client whose secret is in `DATA_DIR/operator.json`. The file is written before the row, and a
 * missing row is created from the file: if the process dies in between, the next start completes
 * it.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { ADVISORY_LOCKS, type Db, takeLock, transaction } from '../../db/index.ts';
import { CONSOLE_CLIENT_ID } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { newSecret } from '../../lib/ids.ts';
import { OPERATOR_SCOPES, SCOPES } from '../tokens/scopes.ts';
import { findClient } from './queries.ts';
import { TOKEN_EXCHANGE } from './types.ts';
import { createClient, updateClient } from './write-clients.ts';

export const FIRST_OPERATOR_ID = 'operator';

interface OperatorFile {
  readonly client_id: string;
  readonly client_secret: string;
}

function readOperatorFile(path: string): OperatorFile | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const { client_id, client_secret } = JSON.parse(
      readFileSync(path, 'utf8'),
    ) as Partial<OperatorFile>;
    return client_id !== undefined && client_secret !== undefined && client_secret.length >= 32
      ? { client_id, client_secret }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a temporary file and renames it, so that a reader never sees a partial file. */
export function writeSecretFile(path: string, content: unknown): void {
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, `${JSON.stringify(content, undefined, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  renameSync(temporary, path);
}

/**
 * Creates the operator client of an embedded installation. Returns the path of its file, or
 * undefined when the client exists already.
 */
export async function createFirstOperator(
  db: Db,
  clock: Clock,
  dataDir: string,
): Promise<string | undefined> {
  const path = join(dataDir, 'operator.json');
  if (await findClient(db, FIRST_OPERATOR_ID)) return undefined;
  const file = readOperatorFile(path) ?? {
    client_id: FIRST_OPERATOR_ID,
    client_secret: newSecret(),
  };
  writeSecretFile(path, file);
  await createClient(db, clock, {
    clientId: FIRST_OPERATOR_ID,
    name: 'Operator',
    secret: file.client_secret,
    isPublic: false,
    redirectUris: [],
    scopes: OPERATOR_SCOPES,
    grantTypes: ['client_credentials'],
    isFirstParty: true,
  });
  return path;
}

/** Creates the console's client, and keeps its redirect URI at `BASE_URL`. */
export async function createConsoleClient(db: Db, clock: Clock, config: Config): Promise<void> {
  const redirectUris = [`${config.BASE_URL}/callback`];
  await transaction(db, async (tx) => {
    await takeLock(tx, ADVISORY_LOCKS.consoleClient);
    const known = await findClient(tx, CONSOLE_CLIENT_ID);
    if (known?.redirectUris[0] === redirectUris[0]) return;
    if (known) await updateClient(tx, clock, CONSOLE_CLIENT_ID, { redirectUris });
    else
      await createClient(tx, clock, {
        clientId: CONSOLE_CLIENT_ID,
        name: 'Edge Console',
        isPublic: true,
        redirectUris,
        scopes: Object.keys(SCOPES),
        grantTypes: ['authorization_code', 'refresh_token', TOKEN_EXCHANGE],
        isFirstParty: true,
      });
  });
}
