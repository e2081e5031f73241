/** Runs a signer as a process of its own: see `signer-child.ts`. */
import { runKilledChild } from './child-node.ts';

const CHILD = new URL('./signer-child.ts', import.meta.url).pathname;

/**
 * Runs a signer that kills itself at a step, 0 for never.
 * @returns the steps that it made, or undefined when it was killed
 */
export async function runSignerChild(
  path: string,
  killAt: number,
  env: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const output = await runKilledChild(CHILD, [path, String(killAt)], env);
  return output === undefined ? undefined : Number(output);
}
