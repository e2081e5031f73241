/**
 * Temporary folders, each marked with its process, so that a later run removes those of a killed
 * one.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const OWNER = 'owner.pid';

export function markOwner(folder: string): void {
  writeFileSync(join(folder, OWNER), String(process.pid));
}

export function readPid(path: string): number | undefined {
  if (!existsSync(path)) return undefined;
  const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** @param end ends processes of such a folder before it is removed */
export function removeStrays(parent: string, prefix: string, end: (folder: string) => void): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(parent, name);
    const owner = readPid(join(folder, OWNER));
    if (owner === undefined || isAlive(owner)) continue;
    end(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}
