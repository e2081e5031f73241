/** Files that a build makes. */
import { readFile } from 'node:fs/promises';
import { failure } from '../lib/failures.ts';

/** @throws `unavailable` naming the command that builds the file */
export async function readBuilt(path: string, command: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw failure('unavailable', { detail: `The page is not built: run "${command}".`, cause });
  }
}
