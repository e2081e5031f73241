/** Entry point of the service and its commands. */
import { enableCompileCache } from 'node:module';
import { runCommandLine } from './commands/run-command-line.ts';
import { endProcess } from './lib/end-process.ts';

enableCompileCache();

if (!(await runCommandLine(process.argv.slice(2)))) endProcess();
