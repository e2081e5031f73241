/** The key and tokens of a terminal, in a file that only its owner can read. */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TokenSet, TokenStore } from '@edge-account/sdk';
import { CommandError } from './command-error.ts';

export interface TerminalState {
  readonly service: string;
  readonly clientId: string;
  /**
   * The device's private key (JWK): its thumbprint is the node ID, and survives every new sign-in.
   */
  readonly key: Record<string, unknown>;
  /** Traffic categories that it requests from its owner. */
  readonly categories?: readonly string[];
  readonly tokens?: TokenSet;
}

const OWNER_ONLY = 0o600;

export function defaultStatePath(): string {
  return join(
    process.env.EDGE_TERMINAL_HOME ?? join(homedir(), '.config', 'edge-terminal'),
    'state.json',
  );
}

/** Checks the required properties; the SDK checks the key. */
function checkState(value: unknown): TerminalState {
  const { service, clientId, key, tokens } = (value ?? {}) as Partial<
    Record<keyof TerminalState, unknown>
  >;
  const hasTokens =
    tokens === undefined || typeof (tokens as Partial<TokenSet> | null)?.accessToken === 'string';
  const isState =
    typeof service === 'string' &&
    typeof clientId === 'string' &&
    typeof (key as { d?: unknown } | null | undefined)?.d === 'string' &&
    hasTokens;
  if (!isState)
    throw new Error('not a state file of a terminal. Move it to start as a new device.');
  return value as TerminalState;
}

/** Reads the state; undefined when there is none. Removes permissions of other users. */
export async function readState(path: string): Promise<TerminalState | undefined> {
  try {
    if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, OWNER_ONLY);
    return checkState(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Replaces the state: after a crash the file holds the old one or the new one, whole. */
export async function writeState(path: string, state: TerminalState): Promise<void> {
  try {
    await replaceFile(path, `${JSON.stringify(state, null, 2)}\n`);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

/** Not `recursive`: that never ends below folders such as /proc, where nothing can be created. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path, { mode: 0o700 });
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  const temporary = `${path}.${randomUUID()}`;
  const file = await open(temporary, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text);
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
      if (!state) throw new CommandError(`${path} was removed: sign in again`);
      await writeState(path, { ...state, tokens });
    },
  };
}
