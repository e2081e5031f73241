/** Starts the run's PostgreSQL, makes the migrated templates, and stops it all at the end. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate, openServer } from '../../src/db/index.ts';
import { dumpMigratedTemplate } from './pglite-template.ts';
import { NEW_DATABASE, startPostgres } from './postgres-server.ts';
import { makeRunFolder, RUN_FOLDER } from './run-folder.ts';

const TEMPLATE = 'edge_template';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = makeRunFolder();
  // The workers of the run inherit both.
  process.env.TMPDIR = folder.path;
  process.env[RUN_FOLDER] = folder.path;
  const server = await startPostgres();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE} ${NEW_DATABASE}`);
  await admin.end();
  const url = new URL(server.url);
  url.pathname = `/${TEMPLATE}`;
  const database = await openServer({ url: url.href, poolSize: 2, onError: () => {} });
  await migrate(database);
  await database.close();

  const dump = join(folder.path, 'pglite.tar');
  writeFileSync(dump, await dumpMigratedTemplate());

  project.provide('postgresUrl', server.url);
  project.provide('templateName', TEMPLATE);
  project.provide('pgliteTemplate', dump);
  return async () => {
    await server.stop();
    folder.remove();
  };
}
