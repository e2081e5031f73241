/** The reference terminal as a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { CHILD_FLAGS, childCache } from './child-node.ts';

const MAIN = new URL('../../../terminal/src/main.ts', import.meta.url).pathname;
const CLOCK = new URL('./skewed-clock.ts', import.meta.url);
const WAIT_MS = 45_000;

export interface TerminalProcess {
  output(): string;
  /** Waits until the output matches, from `offset` characters on. */
  waitFor(pattern: RegExp, offset?: number): Promise<RegExpExecArray>;
  exited: Promise<number | null>;
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
  let text = '';
  const waiting = new Set<() => void>();
  const keep = (chunk: Buffer): void => {
    text += chunk.toString();
    for (const check of waiting) check();
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    output: () => text,
    exited,
    waitFor(pattern, offset = 0) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`the terminal did not print ${pattern}:\n${text}`)),
          WAIT_MS,
        );
        const check = (): void => {
          const match = pattern.exec(text.slice(offset));
          if (!match) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(match);
        };
        waiting.add(check);
        check();
      });
    },
    signal(signal) {
      child.kill(signal);
    },
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}
