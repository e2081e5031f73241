#!/usr/bin/env node
/** `edge-terminal COMMAND`: a device of the network on the command line. */
import { EdgeError } from '@edge-account/sdk';
import { CommandError } from './command-error.ts';

interface Command {
  readonly summary: string;
  load(): Promise<{ run(args: string[]): Promise<void> }>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  login: { summary: 'sign in: by a code (default), or with --browser on this machine', load: () => import('./commands/login.ts') },
  run: { summary: 'register and stay connected until stopped or cut off', load: () => import('./commands/run.ts') },
  status: { summary: 'show what the service knows of this device', load: () => import('./commands/status.ts') },
  simulate: { summary: 'run a network of devices against a service', load: () => import('./commands/simulate.ts') },
};

function printHelp(): void {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  console.log(`edge-terminal COMMAND [--service URL] [--state FILE]\n\n${lines.join('\n')}`);
}

const [name = 'help', ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) {
  printHelp();
  process.exitCode = ['help', '--help', '-h'].includes(name) ? 0 : 2;
} else {
  try {
    await (await command.load()).run(args);
  } catch (error) {
    const isExpected = error instanceof EdgeError || error instanceof CommandError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    console.error(isExpected ? `edge-terminal: ${(error as Error).message}` : error);
    process.exitCode = 1;
  }
}
