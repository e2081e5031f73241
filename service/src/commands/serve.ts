/**
 * `edge-account serve [--roles http,gateway,jobs,chains]`: runs the service until SIGTERM or
 * SIGINT.
 */
import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import { removeStaging } from '../import-export/index.ts';
import { endProcess } from '../lib/end-process.ts';
import { readArguments } from './arguments.ts';
import { openPlatform } from './bootstrap.ts';
import { openControlSocket } from './control-socket.ts';
import { isRepository, PROGRAM } from './program.ts';
import { startApp } from './start-app.ts';
import { startTracing } from './start-tracing.ts';

const STOP_TIMEOUT_MS = 10_000;

/**
 * Where to go next, for the person who started it on a laptop; behind a real mail server only logs
 * are wanted.
 */
function printWelcome({ BASE_URL, DATA_DIR, SMTP_URL, roles }: Config): void {
  if (SMTP_URL !== undefined || !roles.has('http')) return;
  const operatorFile = join(DATA_DIR, 'operator.json');
  const lines = [
    `edge-account is ready at ${BASE_URL}`,
    `  Sign up and sign in   ${BASE_URL}/`,
    `  API documentation     ${BASE_URL}/docs`,
    `  Development mailbox   ${BASE_URL}/dev/mail`,
    `  Operator's client     ${
      existsSync(operatorFile) ? operatorFile : `${PROGRAM} operator create`
    }`,
    ...(isRepository ? ['  The whole path        npm run demo'] : []),
  ];
  console.log(lines.join('\n'));
}

export const usage = `edge-account serve [--roles http,gateway,jobs,chains]`;

export async function run(args: string[]): Promise<void> {
  const roles = readArguments(args, { values: ['roles'] }).one('roles');
  const stopTracing = await startTracing(process.env);
  const overrides: Record<string, string> = roles === undefined ? {} : { ROLES: roles };
  const platform = await openPlatform({ overrides, readsFromReplica: true });
  const isEmbedded = platform.database.kind === 'embedded';
  // On a server `migrate` does this: an instance may not drop tables.
  if (isEmbedded) await removeStaging(platform.database);
  const closeControl = isEmbedded ? await openControlSocket(platform) : async () => {};
  const stopOnSignal = (app: App): void => {
    let isStopping = false;
    const stop = async (): Promise<void> => {
      if (isStopping) return;
      isStopping = true;
      // A request or job that never ends must not keep the process: everything acknowledged is
      // committed already.
      setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
      await closeControl();
      await app.stop();
      await platform.database.close();
      await stopTracing();
      endProcess(0);
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  };
  await startApp(platform, stopOnSignal);
  printWelcome(platform.config);
  // Node writes the cache only at an orderly exit; after a kill the next start must be fast too.
  flushCompileCache();
}
