/** What a terminal keeps: its key and tokens, in a file that only its owner can read. */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TokenSet, TokenStore } from '@edge-account/sdk';
import { CommandError } from './command-error.ts';

export interface TerminalState {
  readonly service: string;
  readonly clientId: string;
  /** The device's private key (JWK): its thumbprint is the node ID, and survives every new sign-in. */
  readonly key: Record<string, unknown>;
  readonly tokens?: TokenSet;
}

const OWNER_ONLY = 0o600;

export function defaultStatePath(): string {
  return join(process.env.EDGE_TERMINAL_HOME ?? join(homedir(), '.config', 'edge-terminal'), 'state.json');
}

/** Reads the state; undefined when there is none. Closes the file to others if somebody opened it. */
export async function readState(path: string): Promise<TerminalState | undefined> {
  try {
    if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, OWNER_ONLY);
    return JSON.parse(await readFile(path, 'utf8')) as TerminalState;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Replaces the state: after a crash the file holds the old one or the new one, whole. */
export async function writeState(path: string, state: TerminalState): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomUUID()}`;
  const file = await open(temporary, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(`${JSON.stringify(state, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

/** The state as a store of tokens. */
export function tokenStoreOf(path: string): TokenStore {
  return {
    load: async () => (await readState(path))?.tokens,
    async save(tokens) {
      const state = await readState(path);
      if (!state) throw new CommandError(`${path} is gone: sign in again`);
      await writeState(path, { ...state, tokens });
    },
  };
}
