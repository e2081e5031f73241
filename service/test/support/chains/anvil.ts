/**
 * A real EVM node for tests: the anvil binary of the npm package, on a free port, mining only on
 * request.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { encodeDeployData, encodeFunctionData, parseAbi } from 'viem';
import { findFreePort } from '../postgres-server.ts';
import { compileContract } from './compile-contract.ts';

const TOKEN_ABI = parseAbi([
  'constructor(string symbol, uint8 decimals)',
  'function pay(address to, uint256 value)',
  'function payMany(address[] to, uint256[] values)',
  'function payTimes(address to, uint256 value, uint256 times)',
  'function payAndRevert(address to, uint256 value)',
  'function setDecimals(uint8 decimals)',
  'function forward(address to) payable',
  'function balanceOf(address owner) view returns (uint256)',
]);

export type Hex = `0x${string}`;

/** A transaction; sent from an account that the node unlocks. */
export interface TxRequest {
  readonly to?: Hex;
  readonly data?: Hex;
  readonly value?: bigint;
  readonly from?: Hex;
  readonly nonce?: number;
  readonly gasPrice?: bigint;
}

export interface Anvil {
  readonly url: string;
  readonly accounts: readonly Hex[];
  call<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>;
  /** Puts a transaction into the pool; returns its hash. */
  send(request: TxRequest): Promise<Hex>;
  /** Mines blocks; the first includes the transactions of the pool. */
  mine(blocks?: number): Promise<void>;
  height(): Promise<number>;
  /**
   * Removes the last blocks and their transactions; blocks mined next have other hashes.
   */
  rollback(depth: number): Promise<void>;
  /** The signed form of a transaction, to send it again after a rollback. */
  rawOf(hash: Hex): Promise<Hex>;
  sendRaw(raw: Hex): Promise<Hex>;
  deployToken(symbol: string, decimals: number): Promise<Hex>;
  /** Call data of the test token. */
  encode: (
    functionName:
      | 'pay'
      | 'payAndRevert'
      | 'payMany'
      | 'payTimes'
      | 'setDecimals'
      | 'forward'
      | 'balanceOf',
    args: readonly unknown[],
  ) => Hex;
  /** Stops its process: connections stay open, and nothing is answered. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const FORK_STEP_S = 3600;
const READY_TRIES = 200;
const READY_PAUSE_MS = 20;

function findBinary(): string {
  const require = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'win32' : process.platform;
  const name = `@foundry-rs/anvil-${platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const manifest = require.resolve(`${name}/package.json`, {
    paths: [dirname(require.resolve('@foundry-rs/anvil/package.json'))],
  });
  return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');
}

/** One JSON-RPC call. @throws Error with the node's message */
export async function callRpc<T = unknown>(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result?: T; error?: { message: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result as T;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < READY_TRIES; tries++) {
    if (child.exitCode !== null) throw new Error(`anvil ended with ${child.exitCode}`);
    try {
      await callRpc(url, 'eth_chainId');
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MS));
    }
  }
  throw new Error('anvil did not answer');
}

const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;

interface AnvilOptions {
  readonly chainId?: number;
  readonly blockTime_s?: number;
  readonly slotsInEpoch?: number;
}

function spawnAnvil(port: number, options: AnvilOptions): ChildProcess {
  const { chainId = 31337, blockTime_s, slotsInEpoch = 32 } = options;
  const mining =
    blockTime_s === undefined ? ['--no-mining'] : ['--block-time', String(blockTime_s)];
  return spawn(
    findBinary(),
    [
      '--port',
      String(port),
      '--chain-id',
      String(chainId),
      '--slots-in-an-epoch',
      String(slotsInEpoch),
      '--order',
      'fifo',
      '--gas-limit',
      '3000000000',
      '--accounts',
      '10',
      '--silent',
      ...mining,
    ],
    { stdio: 'ignore' },
  );
}

/** Starts a separate chain. With `blockTime_s` it mines automatically. */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const { blockTime_s } = options;
  const port = await findFreePort();
  const child = spawnAnvil(port, options);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child);
  const call = <T = unknown>(method: string, params: readonly unknown[] = []): Promise<T> =>
    callRpc<T>(url, method, params);
  const accounts = await call<Hex[]>('eth_accounts');
  // Each fork has a later time: blocks of equal content would have equal hashes.
  let fork_s = Math.floor(Date.now() / 1000);

  const anvil: Anvil = {
    url,
    accounts,
    call,
    send: ({ from = accounts[0], value = 0n, nonce, gasPrice, ...rest }) =>
      call<Hex>('eth_sendTransaction', [
        {
          from,
          value: hex(value),
          gas: hex(2_500_000_000),
          ...(nonce !== undefined && { nonce: hex(nonce) }),
          ...(gasPrice !== undefined && { gasPrice: hex(gasPrice) }),
          ...rest,
        },
      ]),
    async mine(blocks = 1) {
      await call('anvil_mine', [hex(blocks)]);
    },
    async rollback(depth) {
      await call('anvil_rollback', [depth]);
      await call('anvil_dropAllTransactions');
      fork_s += FORK_STEP_S;
      await call('evm_setNextBlockTimestamp', [fork_s]);
    },
    rawOf: (hash) => call<Hex>('eth_getRawTransactionByHash', [hash]),
    sendRaw: (raw) => call<Hex>('eth_sendRawTransaction', [raw]),
    height: async () => Number(await call<Hex>('eth_blockNumber')),
    async deployToken(symbol, decimals) {
      const data = encodeDeployData({
        abi: TOKEN_ABI,
        bytecode: compileContract('test-token.sol', 'TestToken'),
        args: [symbol, decimals],
      });
      const hash = await anvil.send({ data });
      if (blockTime_s === undefined) await anvil.mine();
      for (let tries = 0; tries < READY_TRIES; tries++) {
        const receipt = await call<{ contractAddress: Hex } | null>('eth_getTransactionReceipt', [
          hash,
        ]);
        if (receipt) return receipt.contractAddress;
        await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MS));
      }
      throw new Error('the token was not deployed');
    },
    encode: (functionName, args) =>
      encodeFunctionData({ abi: TOKEN_ABI, functionName, args } as never),
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill('SIGKILL');
      await exited;
    },
  };
  return anvil;
}
