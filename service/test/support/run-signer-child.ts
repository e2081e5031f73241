/** Runs a signer as a process of its own: see `signer-child.ts`. */
import { spawn } from 'node:child_process';
import { CHILD_FLAGS, childCache } from './child-node.ts';

const CHILD = new URL('./signer-child.ts', import.meta.url).pathname;

/**
 * Runs a signer that kills itself at a step, 0 for never.
 * @returns the steps that it made, or undefined when it was killed
 */
export function runSignerChild(
  path: string,
  killAt: number,
  env: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...CHILD_FLAGS, CHILD, path, String(killAt)], {
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
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined);
      else if (code === 0) resolve(Number(output));
      else reject(new Error(`the child ended with ${code}: ${errors}`));
    });
  });
}
