/** An RPC endpoint of an EVM chain. */
import type { BlockRef, ChainNode, FetchedBlock, Head, Holding } from '../chain.ts';
import { parseList, parseObject } from '../fields.ts';
import {
  callUnlessRefused,
  createJsonRpc,
  type JsonRpc,
  type JsonRpcOptions,
  RpcError,
} from '../json-rpc.ts';
import { mapInChunks } from '../map-in-chunks.ts';
import { NODE_ERRORS } from '../node-errors.ts';
import {
  type EvmBlock,
  type EvmLog,
  type EvmReceipt,
  findReceiver,
  listTransfers,
  parseBlock,
  parseHeader,
  parseLogs,
  parseReceipt,
} from './blocks.ts';
import { coversBloom, isEmptyBloom } from './bloom.ts';
import { parseData, parseNumber, parseQuantity } from './fields.ts';
import { readPayment } from './payment.ts';

const DECIMALS_CALL = '0x313ce567';
const BALANCE_OF_CALL = '0x70a08231';
/** EIP-1474: the contract itself refused. */
const REVERTED = 3;
const UINT8_MAX = 255;
const WORD_DIGITS = 66;
const CALLS_CONCURRENT = 16;

const toHex = (height: number): string => `0x${height.toString(16)}`;

/** All receipts of a block: by one call, or one by one where the endpoint does not know it. */
async function fetchReceipts(rpc: JsonRpc, block: EvmBlock): Promise<EvmReceipt[]> {
  const { height, transactions } = block;
  const answer = await callUnlessRefused(rpc, 'eth_getBlockReceipts', [toHex(height)]);
  if (answer === undefined)
    return mapInChunks(transactions, CALLS_CONCURRENT, async ({ hash }) =>
      parseReceipt(await rpc.call('eth_getTransactionReceipt', [hash]), block, hash),
    );
  const receipts = parseList(answer, 'receipts');
  if (receipts.length !== transactions.length)
    throw new RpcError('contradiction', NODE_ERRORS.create('receipts_missing', { height }));
  return transactions.map(({ hash }, at) => parseReceipt(receipts[at], block, hash));
}

const listLogs = (receipts: readonly EvmReceipt[]): EvmLog[] =>
  receipts.flatMap(({ logs }) => logs);

/** All receipts of exactly this block; they account for its header's filter. */
async function readReceipts(rpc: JsonRpc, block: EvmBlock): Promise<EvmReceipt[]> {
  const receipts = await fetchReceipts(rpc, block);
  if (coversBloom(block.logsBloom, listLogs(receipts))) return receipts;
  const reason = NODE_ERRORS.create('logs_missing', { height: block.height });
  throw new RpcError('contradiction', reason);
}

/**
 * Logs of exactly this block; undefined for an answer that may lack some, as lagging indexes and
 * load balancers give it: its indexes have gaps, or it does not account for the header's filter.
 */
async function readLogs(rpc: JsonRpc, block: EvmBlock): Promise<EvmLog[] | undefined> {
  const logs = parseLogs(await rpc.call('eth_getLogs', [{ blockHash: block.hash }]), block.hash);
  const isComplete =
    logs.every((log, at) => log.logIndex === at) &&
    coversBloom(block.logsBloom, logs) &&
    (logs.length === 0 || !isEmptyBloom(block.logsBloom));
  return isComplete ? logs : undefined;
}

async function readBlock(rpc: JsonRpc, height: number): Promise<FetchedBlock | undefined> {
  const answer = await rpc.call('eth_getBlockByNumber', [toHex(height), true]);
  if (answer === null) return undefined;
  const block = parseBlock(answer, height);
  const { hash, parentHash, transactions } = block;
  const logs = await readLogs(rpc, block);
  const known = logs ? undefined : await readReceipts(rpc, block);
  const receivers = [
    ...transactions.map(({ to, value }) => (value > 0n ? to : undefined)),
    ...(logs ?? listLogs(known ?? [])).map(findReceiver),
  ];
  return {
    height,
    hash,
    parentHash,
    recipients: [...new Set(receivers)].filter((key) => key !== undefined),
    // By all receipts of the block, not by the logs that pointed to it: a second payment to the
    // same address would leave no trace in the filter if its log were missing.
    async readTransfers(watched) {
      const receipts = known ?? (await readReceipts(rpc, block));
      return transactions.flatMap((transaction, at) => {
        const receipt = receipts[at];
        return receipt ? listTransfers(transaction, receipt, watched) : [];
      });
    },
  };
}

/** A chain without the tag `finalized` refuses: the watcher then waits for the operator. */
async function readHead(rpc: JsonRpc, usesFinalized: boolean): Promise<Head> {
  const height = parseNumber(await rpc.call('eth_blockNumber', []), 'block number');
  const block = usesFinalized
    ? await callUnlessRefused(rpc, 'eth_getBlockByNumber', ['finalized', false])
    : undefined;
  if (block === undefined || block === null) return { height, finalizedHeight: undefined };
  const { number } = parseObject(block, 'finalized block');
  return { height, finalizedHeight: parseNumber(number, 'block.number') };
}

async function readDecimals(rpc: JsonRpc, contract: string): Promise<number | undefined> {
  const call = { to: contract, data: DECIMALS_CALL };
  const answer = await callUnlessRefused(rpc, 'eth_call', [call, 'latest'], [REVERTED]);
  if (answer === undefined) return undefined;
  const word = parseData(answer, 'decimals');
  return word.length === WORD_DIGITS && BigInt(word) <= UINT8_MAX ? Number(word) : undefined;
}

async function readBalance(rpc: JsonRpc, { address, contract }: Holding): Promise<bigint> {
  if (contract === undefined)
    return parseQuantity(await rpc.call('eth_getBalance', [address, 'latest']), 'balance');
  const data = `${BALANCE_OF_CALL}${address.slice(2).toLowerCase().padStart(64, '0')}`;
  const word = parseData(await rpc.call('eth_call', [{ to: contract, data }, 'latest']), 'balance');
  return word.length === WORD_DIGITS ? BigInt(word) : 0n;
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
  return {
    label,
    async checkIdentity() {
      const told = parseNumber(await rpc.call('eth_chainId', []), 'chain id');
      if (told === chainId) return;
      const reason = NODE_ERRORS.create('wrong_chain', { told, expected: chainId });
      throw new RpcError('contradiction', reason);
    },
    readHead: () => readHead(rpc, usesFinalized),
    async readHeader(height): Promise<BlockRef | undefined> {
      const answer = await rpc.call('eth_getBlockByNumber', [toHex(height), false]);
      return answer === null ? undefined : parseHeader(answer, height);
    },
    readBlock: (height) => readBlock(rpc, height),
    readDecimals: (contract) => readDecimals(rpc, contract),
    async runCode(data) {
      const answer = await callUnlessRefused(rpc, 'eth_call', [{ data }, 'latest'], [REVERTED]);
      return answer === undefined ? undefined : parseData(answer, 'result');
    },
    readPayment: (txHash, address) => readPayment(rpc, txHash, address),
    readSpentAt: async () => undefined,
    async countSent(address, height) {
      const answer = await rpc.call('eth_getTransactionCount', [address, toHex(height)]);
      return parseNumber(answer, 'transaction count');
    },
    readBalances: (holdings) =>
      mapInChunks(holdings, CALLS_CONCURRENT, (holding) => readBalance(rpc, holding)),
  };
}
