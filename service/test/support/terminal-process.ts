/** The reference terminal as a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { CHILD_FLAGS, childCache } from './child-node.ts';
import { type WatchedOutput, watchOutput } from './watch-output.ts';

const MAIN = new URL('../../../terminal/src/main.ts', import.meta.url).pathname;
const CLOCK = new URL('./skewed-clock.ts', import.meta.url);
const WAIT_MS = 45_000;

export interface TerminalProcess extends WatchedOutput {
  signal(signal: NodeJS.Signals): void;
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface TerminalOptions {
  /** Jump of its wall clock at each SIGUSR2, forward and back in turn. */
  readonly clockJump_ms?: number;
  /** A terminal file other than the project's. */
  readonly program?: string;
  /** The reported version of Node.js. */
  readonly nodeVersion?: string;
}

export function startTerminal(
  args: readonly string[],
  { clockJump_ms, program = MAIN, nodeVersion }: TerminalOptions = {},
): TerminalProcess {
  const versions = `{ ...process.versions, node: '${nodeVersion}' }`;
  const pretend = `Object.defineProperty(process, 'versions', { value: ${versions} })`;
  const preload = [
    ...(clockJump_ms === undefined ? [] : [CLOCK.href]),
    ...(nodeVersion === undefined ? [] : [`data:text/javascript,${pretend}`]),
  ];
  const child: ChildProcess = spawn(
    process.execPath,
    [...CHILD_FLAGS, ...preload.flatMap((module) => ['--import', module]), program, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Without a display no other browser than the tests' is opened.
      env: {
        PATH: '/nonexistent',
        HOME: '/nonexistent',
        ...childCache(),
        CLOCK_JUMP_MS: String(clockJump_ms ?? 0),
      },
    },
  );
  const watched = watchOutput(child, { wait_ms: WAIT_MS });
  return {
    ...watched,
    signal(signal) {
      child.kill(signal);
    },
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return watched.exited;
    },
  };
}
