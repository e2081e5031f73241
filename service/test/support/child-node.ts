/** Short-lived Node.js processes, like most of the tests'. */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Disables the optimisation of the embedded database's WebAssembly, which would take half of the
 * time of such a process.
 */
export const CHILD_FLAGS = ['--disable-warning=ExperimentalWarning', '--liftoff-only'];

/** Shares compiled code between the processes of a run. */
export const childCache = (): { NODE_COMPILE_CACHE: string } => ({
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
});

/**
 * Runs a program of the tests that may kill itself (`kill-at-step.ts`).
 * @returns what it printed, or undefined when it was killed
 */
export function runKilledChild(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...CHILD_FLAGS, program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...childCache(), ...env },
    });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined);
      else if (code === 0) resolve(output);
      else reject(new Error(`the child ended with ${code}: ${errors}`));
    });
  });
}
