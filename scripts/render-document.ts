/** The OpenAPI document of a service with the default configuration. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../service/src/app.ts';
import { readConfig } from '../service/src/config.ts';
import { migrate, openEmbedded } from '../service/src/db/index.ts';
import { createMasterKey } from '../service/src/master-key.ts';

export interface RenderedDocument {
  readonly text: string;
  /** Address of the service in it. */
  readonly baseUrl: string;
}

export async function renderDocument(): Promise<RenderedDocument> {
  const directory = mkdtempSync(join(tmpdir(), 'edge-account-openapi-'));
  const database = await openEmbedded({ directory: join(directory, 'database') });
  try {
    await migrate(database);
    const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: directory });
    const app = await createApp({
      config,
      database,
      masterKey: createMasterKey(Buffer.alloc(32, 1)),
    });
    const { body } = await app.http.inject('/openapi.json');
    await app.stop();
    return { text: body, baseUrl: config.BASE_URL };
  } finally {
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
