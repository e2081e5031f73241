/** Blocks, logs and receipts of an EVM node, checked field by field. */
import type { BlockRef, Transfer } from '../chain.ts';
import { RpcError } from '../json-rpc.ts';
import { NODE_ERRORS } from '../node-errors.ts';
import { checksumAddress } from './address.ts';
import {
  addressKeyOf,
  bigOf,
  dataOf,
  type Fields,
  fieldsOf,
  hashOf,
  listOf,
  numberOf,
} from './fields.ts';

/** keccak256("Transfer(address,address,uint256)") */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Signature, sender, receiver; a token that indexes the amount too is an NFT (ERC-721). */
const TRANSFER_TOPICS = 3;
const WORD_DIGITS = 66;
const NOTHING = `0x${'0'.repeat(64)}`;
const SUCCESS = 1;
/** Ordinal of the coin itself: logs count from 0. */
const NATIVE = -1;

export interface EvmTransaction {
  readonly hash: string;
  readonly from: string;
  readonly to: string | undefined;
  readonly value: bigint;
}

export interface EvmBlock extends BlockRef {
  readonly logsBloom: string;
  readonly transactions: readonly EvmTransaction[];
}

export interface EvmLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly logIndex: number;
  readonly txHash: string;
}

export interface EvmReceipt {
  readonly txHash: string;
  readonly isSuccess: boolean;
  readonly logs: readonly EvmLog[];
}

export function readHeaderFields(value: unknown, height: number): BlockRef & { fields: Fields } {
  const fields = fieldsOf(value, 'block');
  const ref = {
    height: numberOf(fields.number, 'block.number'),
    hash: hashOf(fields.hash, 'block.hash'),
    parentHash: hashOf(fields.parentHash, 'block.parentHash'),
  };
  if (ref.height !== height)
    throw new RpcError(
      'contradiction',
      NODE_ERRORS.say('other_block_came', { asked: height, came: ref.height }),
    );
  return { ...ref, fields };
}

function readTransaction(value: unknown, blockHash: string): EvmTransaction {
  const fields = fieldsOf(value, 'transaction');
  if (
    fields.blockHash !== null &&
    fields.blockHash !== undefined &&
    hashOf(fields.blockHash, 'transaction.blockHash') !== blockHash
  ) {
    throw new RpcError('contradiction', NODE_ERRORS.say('transaction_elsewhere'));
  }
  return {
    hash: hashOf(fields.hash, 'transaction.hash'),
    from: addressKeyOf(fields.from, 'transaction.from'),
    to:
      fields.to === null || fields.to === undefined
        ? undefined
        : addressKeyOf(fields.to, 'transaction.to'),
    value: bigOf(fields.value, 'transaction.value'),
  };
}

export function readBlockFields(value: unknown, height: number): EvmBlock {
  const { fields, ...ref } = readHeaderFields(value, height);
  const transactions = listOf(fields.transactions, 'block.transactions').map((transaction) =>
    readTransaction(transaction, ref.hash),
  );
  return { ...ref, logsBloom: dataOf(fields.logsBloom, 'block.logsBloom'), transactions };
}

function readLog(value: unknown, blockHash: string): EvmLog | undefined {
  const fields = fieldsOf(value, 'log');
  // A log of a block that was replaced: this block never had it.
  if (fields.removed === true) return undefined;
  if (fields.blockHash !== blockHash && hashOf(fields.blockHash, 'log.blockHash') !== blockHash)
    throw new RpcError('contradiction', NODE_ERRORS.say('log_elsewhere'));
  return {
    address: addressKeyOf(fields.address, 'log.address'),
    topics: listOf(fields.topics, 'log.topics').map((topic) => hashOf(topic, 'log.topic')),
    data: dataOf(fields.data, 'log.data'),
    logIndex: numberOf(fields.logIndex, 'log.logIndex'),
    txHash: hashOf(fields.transactionHash, 'log.transactionHash'),
  };
}

/** Logs of a block in their order; the same log twice is one, two different ones in one place are a contradiction. */
export function readLogs(value: unknown, blockHash: string): EvmLog[] {
  const byIndex = new Map<number, EvmLog>();
  for (const item of listOf(value, 'logs')) {
    const log = readLog(item, blockHash);
    if (!log) continue;
    const twin = byIndex.get(log.logIndex);
    if (
      twin &&
      (twin.txHash !== log.txHash || twin.data !== log.data || twin.address !== log.address)
    ) {
      throw new RpcError('contradiction', NODE_ERRORS.say('logs_collide', { place: log.logIndex }));
    }
    byIndex.set(log.logIndex, log);
  }
  return [...byIndex.values()].sort((a, b) => a.logIndex - b.logIndex);
}

export function readReceipt(value: unknown, block: BlockRef, txHash: string): EvmReceipt {
  if (value === null || value === undefined)
    throw new RpcError(
      'contradiction',
      NODE_ERRORS.say('receipt_missing', { height: block.height }),
    );
  const fields = fieldsOf(value, 'receipt');
  const isOther =
    hashOf(fields.blockHash, 'receipt.blockHash') !== block.hash ||
    hashOf(fields.transactionHash, 'receipt.transactionHash') !== txHash;
  if (isOther) throw new RpcError('contradiction', NODE_ERRORS.say('receipt_elsewhere'));
  return {
    txHash,
    isSuccess: numberOf(fields.status, 'receipt.status') === SUCCESS,
    logs: readLogs(fields.logs, block.hash),
  };
}

/** True for an ERC-20 transfer that moves something. */
function isTransfer({ topics, data }: EvmLog): boolean {
  return (
    topics[0] === TRANSFER &&
    topics.length === TRANSFER_TOPICS &&
    data.length === WORD_DIGITS &&
    data !== NOTHING
  );
}

/** The key of the address that a log's token went to; undefined for logs of anything else. */
export function receiverOf(log: EvmLog): string | undefined {
  return isTransfer(log) ? `0x${log.topics[2]?.slice(-40)}` : undefined;
}

/** What watched addresses received by one successful transaction. */
export function transfersOf(
  transaction: EvmTransaction,
  receipt: EvmReceipt,
  watched: ReadonlySet<string>,
): Transfer[] {
  if (!receipt.isSuccess) return [];
  const common = { txHash: transaction.hash, confirmationsMin: 0 };
  const transfers: Transfer[] = [];
  if (transaction.to !== undefined && transaction.value > 0n && watched.has(transaction.to)) {
    transfers.push({
      ...common,
      ordinal: NATIVE,
      to: transaction.to,
      from: checksumAddress(transaction.from),
      contract: undefined,
      amount: transaction.value,
    });
  }
  for (const [ordinal, log] of receipt.logs.entries()) {
    const to = receiverOf(log);
    if (to === undefined || !watched.has(to)) continue;
    const from = checksumAddress(`0x${log.topics[1]?.slice(-40)}`);
    transfers.push({
      ...common,
      ordinal,
      to,
      from,
      contract: checksumAddress(log.address),
      amount: BigInt(log.data),
    });
  }
  return transfers;
}
