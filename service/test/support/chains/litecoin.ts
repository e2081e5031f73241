/**
 * A real UTXO node for tests: Debian's litecoind in regtest mode. Where it is not installed, its
 * tests are skipped.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../postgres-server.ts';

const BINARY = process.env.LITECOIND ?? '/usr/bin/litecoind';
const READY_TRIES = 300;
const READY_PAUSE_MS = 50;

/** Why the node cannot run here, or undefined. */
export const litecoinMissing: string | undefined = existsSync(BINARY)
  ? undefined
  : `${BINARY} is not installed (Debian package litecoind)`;

export interface Litecoin {
  /** With user and password, like an operator's URL. */
  readonly url: string;
  call<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>;
  /** Mines blocks to the node's own wallet. */
  mine(blocks?: number): Promise<string[]>;
  height(): Promise<number>;
  stop(): Promise<void>;
}

export async function startLitecoin(options: readonly string[] = []): Promise<Litecoin> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-litecoin-'));
  const port = await findFreePort();
  const child = spawn(
    BINARY,
    [
      '-regtest',
      `-datadir=${folder}`,
      `-rpcport=${port}`,
      '-rpcuser=test',
      '-rpcpassword=test',
      '-listen=0',
      '-dnsseed=0',
      '-fallbackfee=0.001',
      '-server',
      '-printtoconsole=0',
      ...options,
    ],
    { stdio: 'ignore' },
  );
  const url = `http://127.0.0.1:${port}`;
  const call = async <T = unknown>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from('test:test').toString('base64')}` },
      body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }),
    });
    const answer = (await response.json()) as { result: T; error: { message: string } | null };
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
  for (let tries = 0; ; tries++) {
    try {
      await call('getblockcount');
      break;
    } catch (error) {
      if (tries > READY_TRIES || child.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MS));
    }
  }
  await call('createwallet', ['test']);
  return {
    url: `http://test:test@127.0.0.1:${port}`,
    call,
    // A new address each time: blocks of equal content would equal the blocks that a test has
    // invalidated.
    mine: async (blocks = 1) =>
      call<string[]>('generatetoaddress', [blocks, await call<string>('getnewaddress')]),
    height: () => call<number>('getblockcount'),
    async stop() {
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
