/**
 * Writes the SDK's types from the OpenAPI document of the service (`npm run sdk`); a test compares
 * the two.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderTypes } from '../sdk/generate-types.ts';
import { createApp } from '../service/src/app.ts';
import { readConfig } from '../service/src/config.ts';
import { migrate, openEmbedded } from '../service/src/db/index.ts';
import { createMasterKey } from '../service/src/master-key.ts';

const TARGET = new URL('../sdk/src/generated/api.ts', import.meta.url);

/** The types of a service with the default configuration. */
export async function renderSdk(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'edge-account-sdk-'));
  const database = await openEmbedded({ directory: join(directory, 'database') });
  try {
    await migrate(database);
    const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: directory });
    const app = await createApp({
      config,
      database,
      masterKey: createMasterKey(Buffer.alloc(32, 1)),
    });
    const answer = await app.http.inject('/openapi.json');
    await app.stop();
    return await renderTypes(answer.json());
  } finally {
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  writeFileSync(TARGET, await renderSdk());
  console.log('sdk/src/generated/api.ts is written.');
}
