/**
 * A process that imports a folder, or kills itself (SIGKILL) before its n-th statement. Arguments:
 * the folder; URL of the database, or `embedded:DIRECTORY`; n, 0 for never.
 */
import { flushCompileCache } from 'node:module';
import { openEmbedded, openServer } from '../../src/db/index.ts';
import { installLedger } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createImportFolder } from './import-folder.ts';
import { killAtStep, stepAtStatements } from './kill-at-step.ts';
import { testMasterKey } from './test-config.ts';

// Most of them are killed, and a killed process leaves no cache to the next.
flushCompileCache();
const [path = '', where = '', killAt = '0'] = process.argv.slice(2);
const database = where.startsWith('embedded:')
  ? await openEmbedded({ directory: where.slice('embedded:'.length) })
  : await openServer({ url: where, poolSize: 3, onError: () => {} });
installLedger(database, { clock: systemClock, masterKey: testMasterKey });

const steps = killAtStep(Number(killAt));
stepAtStatements(steps);
await createImportFolder(path).run(database);
process.stdout.write(String(steps.count));
process.exit(0);
