/**
 * A process that watches the test network until no work is left, or kills itself (SIGKILL) before
 * its n-th statement. Arguments: URL of the database, or `embedded:DIRECTORY`; n, 0 for never.
 */
import { flushCompileCache } from 'node:module';
import { openEmbedded, openServer } from '../../../src/db/index.ts';
import { killAtStep, stepAtStatements } from '../kill-at-step.ts';
import { createDepositBench } from './deposit-bench.ts';

// Most of them are killed, and a killed process leaves no cache to the next.
flushCompileCache();
const [where = '', killAt = '0'] = process.argv.slice(2);
const database = where.startsWith('embedded:')
  ? await openEmbedded({ directory: where.slice('embedded:'.length) })
  : await openServer({ url: where, poolSize: 3, onError: () => {} });

const bench = createDepositBench(database);
const watcher = await bench.newWatcher();
const steps = killAtStep(Number(killAt));
stepAtStatements(steps);
await bench.settle(watcher);
process.stdout.write(String(steps.count));
process.exit(0);
