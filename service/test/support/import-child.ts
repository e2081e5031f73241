/**
 * A process that imports a folder, or kills itself (SIGKILL) before its n-th statement. Arguments:
 * the folder; URL of the database, or `embedded:DIRECTORY`; n, 0 for never.
 */
import { flushCompileCache } from 'node:module';
import pg from 'pg';
import { openEmbedded, openServer } from '../../src/db/index.ts';
import { installLedger } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createImportFolder } from './import-folder.ts';
import { testMasterKey } from './test-config.ts';

// Most of them are killed, and a killed process leaves no cache to the next.
flushCompileCache();
const [path = '', where = '', killAt = '0'] = process.argv.slice(2);
const database = where.startsWith('embedded:')
  ? await openEmbedded({ directory: where.slice('embedded:'.length) })
  : await openServer({ url: where, poolSize: 3, onError: () => {} });
installLedger(database, { clock: systemClock, masterKey: testMasterKey });

let statements = 0;
const client = pg.Client.prototype;
const query = client.query as (...args: unknown[]) => unknown;
client.query = function (this: pg.Client, ...args: unknown[]): unknown {
  statements++;
  if (String(statements) === killAt) process.kill(process.pid, 'SIGKILL');
  return query.apply(this, args);
} as typeof client.query;
await createImportFolder(path).run(database);
process.stdout.write(String(statements));
process.exit(0);
