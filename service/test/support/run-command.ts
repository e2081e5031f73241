/**
 * Runs a command of the command line in the test's process, because a new process spends most of
 * its time on loading the service. For tests of signals, pipes and exit codes use `runCommand` of
 * `service-process.ts`.
 */
import { Console } from 'node:console';
import { runCommandLine } from '../../src/commands/run-command-line.ts';
import type { CommandResult } from './service-process.ts';

type Write = typeof process.stdout.write;

/** Collects the output to a stream of this process until `restore` is called. */
function collect(stream: NodeJS.WriteStream): { text(): string; restore(): void } {
  const { write } = stream;
  let text = '';
  const keep = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') done();
    return true;
  };
  stream.write = keep as Write;
  return {
    text: () => text,
    restore: () => {
      stream.write = write;
    },
  };
}

/** One at a time: environment, streams and exit code belong to the process. */
export async function runCommandHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const { env: environment, exitCode } = process;
  const { log, error } = console;
  const [stdout, stderr] = [collect(process.stdout), collect(process.stderr)];
  process.env = { PATH: environment.PATH, TMPDIR: environment.TMPDIR, ...env };
  process.exitCode = undefined;
  const own = new Console(process.stdout, process.stderr);
  Object.assign(console, { log: own.log, error: own.error });
  try {
    await runCommandLine(args);
    return {
      code: Number(process.exitCode ?? 0),
      stdout: stdout.text(),
      stderr: stderr.text(),
    };
  } finally {
    stdout.restore();
    stderr.restore();
    Object.assign(console, { log, error });
    process.env = environment;
    process.exitCode = exitCode;
  }
}
