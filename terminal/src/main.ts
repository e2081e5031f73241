#!/usr/bin/env node
/**
 * `edge-terminal COMMAND`: a device of the network on the command line. Its imports, and the code
 * before the check of the Node.js version, work with older versions too.
 */
import { EdgeError } from '@edge-account/sdk';
import { CommandError } from './command-error.ts';
import { runTerminal, type TerminalCommand } from './index.ts';
import { PROGRAM } from './program.ts';

interface Command {
  readonly summary: string;
  readonly options: readonly (readonly [option: string, meaning: string])[];
}

const STATE_OPTIONS = [
  [
    '--service URL',
    'address of the service; default: the one of the sign-in, then http://localhost:8080',
  ],
  ['--state FILE', 'file of the key and tokens; default: ~/.config/edge-terminal/state.json'],
  ['--client-id ID', 'OAuth client to sign in as; default: edge-terminal'],
] as const;

const COMMANDS: Readonly<Record<TerminalCommand, Command>> = {
  login: {
    summary: 'sign in by a code (default) or, with --browser, on this machine',
    options: [
      ['--browser', 'sign in with a browser of this machine'],
      [
        '--categories LIST',
        'traffic categories to request, separated by commas; the user grants them with the sign-in',
      ],
      ...STATE_OPTIONS,
    ],
  },
  run: {
    summary: 'sign in if necessary, register, and stay connected until stopped or disconnected',
    options: [
      ['--sign-in', 'ask for a sign-in even if the output is not a terminal'],
      ...STATE_OPTIONS,
    ],
  },
  status: {
    summary: 'show the state of this device',
    options: STATE_OPTIONS,
  },
  simulate: {
    summary: 'run a network of devices against a service',
    options: [
      ['--service URL', 'address of the service; default: http://localhost:8080'],
      ['--operator FILE', "the operator's client; default: ./data/operator.json"],
      ['--devices N', 'how many devices; default: 20'],
      ['--minutes M', 'how long the devices stay connected; default: 1'],
      ['--rate N', 'new devices a second; default: 10'],
    ],
  },
};

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.map(([name, meaning]) => `  ${name.padEnd(width)}${meaning}`).join('\n');
}

function printHelp(): void {
  const commands = Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary] as const);
  console.log(
    `${PROGRAM} COMMAND [OPTIONS]\n\n${columns(commands)}\n\n` +
      `${PROGRAM} COMMAND --help shows the options of a command.`,
  );
}

function printCommandHelp(name: string, { summary, options }: Command): void {
  console.log(`${PROGRAM} ${name}: ${summary}\n\n${columns(options)}`);
}

/** The first version with `WebSocket` and `Promise.withResolvers`. */
const NODE_NEEDED = 22;

function checkNode(): void {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < NODE_NEEDED)
    throw new CommandError(`Node.js ${NODE_NEEDED} or newer is needed; this is ${node}`);
}

const [name = 'help', ...args] = process.argv.slice(2);
const isCommand = (text: string): text is TerminalCommand => Object.hasOwn(COMMANDS, text);
const isHelp = ['help', '--help', '-h'].includes(name);
if (!isCommand(name)) {
  if (!isHelp) console.error(`edge-terminal: there is no command ${name}\n`);
  printHelp();
  process.exitCode = isHelp ? 0 : 2;
} else if (args.includes('--help') || args.includes('-h')) {
  printCommandHelp(name, COMMANDS[name]);
} else {
  try {
    checkNode();
    await runTerminal(name, args);
  } catch (error) {
    const isExpected =
      error instanceof EdgeError ||
      error instanceof CommandError ||
      (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    console.error(isExpected ? `edge-terminal: ${(error as Error).message}` : error);
    process.exitCode = 1;
  }
}
