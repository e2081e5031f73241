/**
 * The clients that a new installation has: its own console, and, where the database is embedded, an operator's client
 * whose secret lies in `DATA_DIR/operator.json`. The file is written before the row, and a row that is missing is made
 * from the file: a process that dies in between leaves nothing that the next start does not complete.
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

/** Written beside and renamed, so that nobody ever reads half a file. */
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

/** Makes the operator's client of an embedded installation. Returns the file's path when it was made now. */
export async function createFirstOperator(
  db: Db,
  clock: Clock,
  dataDir: string,
): Promise<string | undefined> {
  const path = join(dataDir, 'operator.json');
  const isKnown = (await findClient(db, FIRST_OPERATOR_ID)) !== undefined;
  if (isKnown) return undefined;
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

/** Makes the console's client, and keeps its redirect URI where the service is. */
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
        name: 'Edge console',
        isPublic: true,
        redirectUris,
        scopes: Object.keys(SCOPES),
        grantTypes: [
          'authorization_code',
          'refresh_token',
          'urn:ietf:params:oauth:grant-type:token-exchange',
        ],
        isFirstParty: true,
      });
  });
}
