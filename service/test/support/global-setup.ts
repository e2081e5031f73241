/** Starts the run's PostgreSQL, makes the migrated templates, and stops it all at the end. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate, openServer } from '../../src/db/index.ts';
import { dumpMigratedTemplate } from './pglite-template.ts';
import { startPostgres } from './postgres-server.ts';

const TEMPLATE = 'edge_template';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE} template template0 encoding 'UTF8' locale_provider 'builtin' builtin_locale 'C.UTF-8' locale 'C'`);
  await admin.end();
  const url = new URL(server.url);
  url.pathname = `/${TEMPLATE}`;
  const database = await openServer({ url: url.href, poolSize: 2, onError: () => {} });
  await migrate(database);
  await database.close();

  const folder = mkdtempSync(join(tmpdir(), 'edge-account-test-'));
  const dump = join(folder, 'pglite.tar');
  writeFileSync(dump, await dumpMigratedTemplate());

  project.provide('postgresUrl', server.url);
  project.provide('templateName', TEMPLATE);
  project.provide('pgliteTemplate', dump);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
