/** How this program was started, for commands to repeat, and its user agent. */
import { type as osType } from 'node:os';
import { basename } from 'node:path';

/** Common names of operating systems. */
const SYSTEMS: Readonly<Record<string, string>> = { Darwin: 'macOS', Windows_NT: 'Windows' };

const file = basename(process.argv[1] ?? '');

/** `node edge-terminal.mjs` if it is the file that a service provides. */
export const PROGRAM = file.endsWith('.mjs') ? `node ${file}` : 'edge-terminal';

/** Options of every command: they identify the terminal. */
const TERMINAL_OPTIONS = ['service', 'state', 'client-id'] as const;
export type TerminalOptions = Readonly<Partial<Record<(typeof TERMINAL_OPTIONS)[number], string>>>;

function quote(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command line for the terminal that was started with these options. */
export function commandLine(command: string, values: TerminalOptions): string {
  const options = TERMINAL_OPTIONS.flatMap((name) =>
    values[name] === undefined ? [] : [`--${name}`, quote(values[name])],
  );
  return [PROGRAM, command, ...options].join(' ');
}

/** Advice after the end of a sign-in. */
export function suggestRestart(values: TerminalOptions): string {
  return `Run \`${commandLine('login', values)}\` to bring this device back.`;
}

export const VERSION = '0.1.0';

/** Shown to the user with the request for consent. */
export const USER_AGENT = `edge-terminal/${VERSION} (${SYSTEMS[osType()] ?? osType()})`;
