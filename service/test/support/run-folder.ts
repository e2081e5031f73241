/**
 * Where a run keeps what it throws away: in memory, where there is plenty. Its thousands of small files come and go
 * all the time, and that costs a disk's file system more processor time than many a test takes.
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
/** Bytes: what the files of a whole run take at most, and that with what its processes take. */
const NEEDED = { files: 6e9, all: 12e9 } as const;

/** Names it in the environment of the run's workers, who share through it what is made once. */
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

/** Programs are unpacked into it, and many a container lets none start from memory. */
function canStartPrograms(folder: string): boolean {
  const program = join(folder, 'probe');
  writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
  return spawnSync(program).status === 0;
}

function makeIn(parent: string): RunFolder {
  removeStrays(parent, PREFIX, endStrayServers);
  const path = mkdtempSync(join(parent, PREFIX));
  // PostgreSQL runs as somebody else when root tests.
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
