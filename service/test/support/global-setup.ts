/** Starts the run's PostgreSQL, makes the migrated templates, and stops the server at the end. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { addApplicationRole, migrate, openServer } from '../../src/db/index.ts';
import { dumpMigratedTemplate } from './pglite-template.ts';
import { APPLICATION_ROLE, NEW_DATABASE, startPostgres } from './postgres-server.ts';
import { makeRunFolder, RUN_FOLDER } from './run-folder.ts';

const TEMPLATE = 'edge_template';

interface Run {
  readonly context: ProvidedContext;
  stop(): Promise<void>;
}

async function startRun(): Promise<Run> {
  const folder = makeRunFolder();
  // The workers of the run inherit both.
  process.env.TMPDIR = folder.path;
  process.env[RUN_FOLDER] = folder.path;
  const server = await startPostgres();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE} ${NEW_DATABASE}`);
  await admin.query(`create role ${APPLICATION_ROLE} login`);
  await admin.end();
  const url = new URL(server.url);
  url.pathname = `/${TEMPLATE}`;
  const database = await openServer({ url: url.href, poolSize: 2, onError: () => {} });
  await migrate(database);
  await addApplicationRole(database, APPLICATION_ROLE);
  await database.close();

  const dump = join(folder.path, 'pglite.tar');
  writeFileSync(dump, await dumpMigratedTemplate());

  return {
    context: { postgresUrl: server.url, templateName: TEMPLATE, pgliteTemplate: dump },
    async stop() {
      await server.stop();
      folder.remove();
    },
  };
}

let run: Promise<Run> | undefined;
let users = 0;

/** Projects that run together share one server: the first starts it, the last ends it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run ??= startRun();
  users++;
  const { context, stop } = await run;
  for (const name of ['postgresUrl', 'templateName', 'pgliteTemplate'] as const)
    project.provide(name, context[name]);
  return async () => {
    users--;
    if (users > 0) return;
    run = undefined;
    await stop();
  };
}
