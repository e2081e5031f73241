/** One node of an EVM chain. */
import type { BlockRef, ChainNode, FetchedBlock, Head, Holding, Transfer } from '../chain.ts';
import { createJsonRpc, type JsonRpc, type JsonRpcOptions, RpcError } from '../json-rpc.ts';
import { NODE_ERRORS } from '../node-errors.ts';
import {
  type EvmBlock,
  type EvmLog,
  type EvmReceipt,
  readBlockFields,
  readHeaderFields,
  readLogs,
  readReceipt,
  receiverOf,
  transfersOf,
} from './blocks.ts';
import { coversBloom, isEmptyBloom } from './bloom.ts';
import { bigOf, dataOf, fieldsOf, listOf, numberOf } from './fields.ts';

const DECIMALS_CALL = '0x313ce567';
const BALANCE_OF_CALL = '0x70a08231';
/** EIP-1474: the contract itself refused. */
const REVERTED = 3;
const UINT8_MAX = 255n;
const HISTORY_AT_ONCE = 16;

function hex(height: number): string {
  return `0x${height.toString(16)}`;
}

/** Runs `work` over items, a few at a time. */
async function mapSome<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += HISTORY_AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + HISTORY_AT_ONCE).map(work))));
  return results;
}

/** All receipts of a block: what the node says in one call, or one by one where it does not know that call. */
async function askForReceipts(rpc: JsonRpc, block: EvmBlock): Promise<EvmReceipt[]> {
  let answer: unknown;
  try {
    answer = await rpc.call('eth_getBlockReceipts', [hex(block.height)]);
  } catch (error) {
    if (!(error instanceof RpcError) || error.kind !== 'refused') throw error;
    return mapSome(block.transactions, async ({ hash }) =>
      readReceipt(await rpc.call('eth_getTransactionReceipt', [hash]), block, hash),
    );
  }
  const receipts = listOf(answer, 'receipts');
  if (receipts.length !== block.transactions.length)
    throw new RpcError(
      'contradiction',
      NODE_ERRORS.say('receipts_missing', { height: block.height }),
    );
  return receipts.map((receipt, at) =>
    readReceipt(receipt, block, block.transactions[at]?.hash ?? ''),
  );
}

/** All receipts of exactly this block; they account for its header's filter. */
async function readReceipts(rpc: JsonRpc, block: EvmBlock): Promise<EvmReceipt[]> {
  const receipts = await askForReceipts(rpc, block);
  const isWhole = coversBloom(
    block.logsBloom,
    receipts.flatMap((receipt) => receipt.logs),
  );
  if (!isWhole)
    throw new RpcError('contradiction', NODE_ERRORS.say('logs_missing', { height: block.height }));
  return receipts;
}

interface BlockLogs {
  readonly logs: readonly EvmLog[];
  /** Present when the logs had to be read from the receipts. */
  readonly receipts: readonly EvmReceipt[] | undefined;
}

/** The places of a block's logs run from 0 without a gap. */
function isGapless(logs: readonly EvmLog[]): boolean {
  return logs.every((log, at) => log.logIndex === at);
}

/**
 * The logs of exactly this block. An answer that leaves out some, as lagging indexes and load balancers give it, does
 * not account for the header's filter: then the receipts decide.
 */
async function readBlockLogs(rpc: JsonRpc, block: EvmBlock): Promise<BlockLogs> {
  const logs = readLogs(await rpc.call('eth_getLogs', [{ blockHash: block.hash }]), block.hash);
  if (
    isGapless(logs) &&
    coversBloom(block.logsBloom, logs) &&
    (logs.length === 0 || !isEmptyBloom(block.logsBloom))
  )
    return { logs, receipts: undefined };
  const receipts = await readReceipts(rpc, block);
  return { logs: receipts.flatMap((receipt) => receipt.logs), receipts };
}

function recipientsOf(block: EvmBlock, logs: readonly EvmLog[]): string[] {
  const recipients = new Set<string>();
  for (const { to, value } of block.transactions)
    if (to !== undefined && value > 0n) recipients.add(to);
  for (const log of logs) {
    const to = receiverOf(log);
    if (to !== undefined) recipients.add(to);
  }
  return [...recipients];
}

/**
 * What watched addresses received. A block that concerns us is read by all its receipts, not by the logs that pointed to
 * it: a second payment to the same address would leave no trace in the filter if its log were missing.
 */
async function readBlockTransfers(
  rpc: JsonRpc,
  block: EvmBlock,
  known: readonly EvmReceipt[] | undefined,
  watched: ReadonlySet<string>,
): Promise<Transfer[]> {
  const receipts = known ?? (await readReceipts(rpc, block));
  return block.transactions.flatMap((transaction, at) => {
    const receipt = receipts[at];
    return receipt ? transfersOf(transaction, receipt, watched) : [];
  });
}

async function readHead(rpc: JsonRpc, usesFinalized: boolean): Promise<Head> {
  const height = numberOf(await rpc.call('eth_blockNumber', []), 'block number');
  if (!usesFinalized) return { height, finalizedHeight: undefined };
  try {
    const block = await rpc.call('eth_getBlockByNumber', ['finalized', false]);
    return {
      height,
      finalizedHeight:
        block === null
          ? undefined
          : numberOf(fieldsOf(block, 'finalized block').number, 'block.number'),
    };
  } catch (error) {
    // A chain without that tag: the watcher says so and credits nothing until the operator decides.
    if (error instanceof RpcError && error.kind === 'refused')
      return { height, finalizedHeight: undefined };
    throw error;
  }
}

async function readDecimals(rpc: JsonRpc, contract: string): Promise<number | undefined> {
  try {
    const answer = dataOf(
      await rpc.call('eth_call', [{ to: contract, data: DECIMALS_CALL }, 'latest']),
      'decimals',
    );
    if (answer.length !== 66) return undefined;
    const decimals = BigInt(answer);
    return decimals <= UINT8_MAX ? Number(decimals) : undefined;
  } catch (error) {
    if (error instanceof RpcError && error.kind === 'refused' && error.rpcCode === REVERTED)
      return undefined;
    throw error;
  }
}

async function readBalance(rpc: JsonRpc, { address, contract }: Holding): Promise<bigint> {
  if (contract === undefined)
    return bigOf(await rpc.call('eth_getBalance', [address, 'latest']), 'balance');
  const data = `${BALANCE_OF_CALL}${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const answer = dataOf(await rpc.call('eth_call', [{ to: contract, data }, 'latest']), 'balance');
  return answer.length === 66 ? BigInt(answer) : 0n;
}

export interface EvmNodeOptions extends JsonRpcOptions {
  readonly url: string;
  readonly label: string;
  readonly chainId: number;
  readonly usesFinalized: boolean;
}

export function createEvmNode({
  url,
  label,
  chainId,
  usesFinalized,
  ...options
}: EvmNodeOptions): ChainNode {
  const rpc = createJsonRpc(url, options);

  async function readBlock(height: number): Promise<FetchedBlock | undefined> {
    const answer = await rpc.call('eth_getBlockByNumber', [hex(height), true]);
    if (answer === null) return undefined;
    const block = readBlockFields(answer, height);
    const logs = await readBlockLogs(rpc, block);
    return {
      height: block.height,
      hash: block.hash,
      parentHash: block.parentHash,
      recipients: recipientsOf(block, logs.logs),
      readTransfers: (watched) => readBlockTransfers(rpc, block, logs.receipts, watched),
    };
  }

  return {
    label,
    async checkIdentity() {
      const answered = numberOf(await rpc.call('eth_chainId', []), 'chain id');
      if (answered !== chainId)
        throw new RpcError(
          'contradiction',
          NODE_ERRORS.say('wrong_chain', { told: answered, expected: chainId }),
        );
    },
    readHead: () => readHead(rpc, usesFinalized),
    async readHeader(height): Promise<BlockRef | undefined> {
      const answer = await rpc.call('eth_getBlockByNumber', [hex(height), false]);
      if (answer === null) return undefined;
      const { fields: _, ...ref } = readHeaderFields(answer, height);
      return ref;
    },
    readBlock,
    readDecimals: (contract) => readDecimals(rpc, contract),
    readBalances: (holdings) => mapSome(holdings, (holding) => readBalance(rpc, holding)),
  };
}
