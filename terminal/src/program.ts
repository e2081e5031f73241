/** How this program was started, for advice that a person can type, and what it calls itself to a service. */
import { type as osType } from 'node:os';
import { basename } from 'node:path';

/** As people know them. */
const SYSTEMS: Readonly<Record<string, string>> = { Darwin: 'macOS', Windows_NT: 'Windows' };

const file = basename(process.argv[1] ?? '');

/** `node edge-terminal.mjs` when it is the one file that a service hands out. */
export const PROGRAM = file.endsWith('.mjs') ? `node ${file}` : 'edge-terminal';

/** What names the terminal that is meant; each command takes them. */
const TERMINAL_OPTIONS = ['service', 'state', 'client-id'] as const;
export type TerminalOptions = Readonly<Partial<Record<(typeof TERMINAL_OPTIONS)[number], string>>>;

function quote(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command that can be copied: it is about the same terminal as the one that was started with these options. */
export function commandLine(command: string, values: TerminalOptions): string {
  const options = TERMINAL_OPTIONS.flatMap((name) =>
    values[name] === undefined ? [] : [`--${name}`, quote(values[name])],
  );
  return [PROGRAM, command, ...options].join(' ');
}

/** Advice where a sign-in is over. */
export function suggestRestart(values: TerminalOptions): string {
  return `Run \`${commandLine('login', values)}\` to bring this device back.`;
}

export const VERSION = '0.1.0';

/** What people read of it before they let it in. */
export const USER_AGENT = `edge-terminal/${VERSION} (${SYSTEMS[osType()] ?? osType()})`;
