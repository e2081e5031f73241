/**
 * The folder of a run's temporary files: in memory, if there is enough. On a disk its thousands of
 * short-lived small files cost more processor time than many tests.
 */
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markOwner, removeStrays } from './orphan-processes.ts';
import { endStrayServers } from './postgres-server.ts';

const MEMORY = '/dev/shm';
const PREFIX = 'edge-account-run-';
/** Bytes: the maximum of a run's files, and that plus the memory of its processes. */
const NEEDED = { files: 6e9, all: 12e9 } as const;

/** Passes the folder to the run's workers by the environment; they share files in it. */
export const RUN_FOLDER = 'EDGE_ACCOUNT_RUN_FOLDER';

export interface RunFolder {
  readonly path: string;
  remove(): void;
}

function isRoomy(parent: string): boolean {
  try {
    accessSync(parent, constants.W_OK);
    const { bavail, bsize } = statfsSync(parent);
    return bavail * bsize > NEEDED.files && process.availableMemory() > NEEDED.all;
  } catch {
    return false;
  }
}

/** Programs are unpacked into it, and many containers forbid execution from memory. */
function canStartPrograms(folder: string): boolean {
  const program = join(folder, 'probe');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
  return spawnSync(program).status === 0;
}

function makeIn(parent: string): RunFolder {
  removeStrays(parent, PREFIX, endStrayServers);
  const path = mkdtempSync(join(parent, PREFIX));
  // For root, PostgreSQL runs as another user.
  chmodSync(path, 0o755);
  markOwner(path);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function makeRunFolder(): RunFolder {
  if (isRoomy(MEMORY)) {
    const folder = makeIn(MEMORY);
    if (canStartPrograms(folder.path)) return folder;
    folder.remove();
  }
  return makeIn(tmpdir());
}
