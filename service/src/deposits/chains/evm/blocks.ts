/** Blocks, logs and receipts of an EVM endpoint, checked field by field. */
import type { BlockRef, Transfer } from '../chain.ts';
import { type Fields, parseList, parseObject } from '../fields.ts';
import { RpcError } from '../json-rpc.ts';
import { NODE_ERRORS } from '../node-errors.ts';
import { checksumAddress } from './address.ts';
import { parseAddressKey, parseData, parseHash, parseNumber, parseQuantity } from './fields.ts';

/** keccak256("Transfer(address,address,uint256)") */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** Signature, sender, receiver; a token that indexes the amount too is an NFT (ERC-721). */
const TRANSFER_TOPICS = 3;
const WORD_DIGITS = 66;
const ZERO_WORD = `0x${'0'.repeat(64)}`;
const SUCCESS = 1;
/** Ordinal of a transfer of the coin: logs count from 0. */
const COIN_ORDINAL = -1;

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

export function parseHeader(value: unknown, height: number): BlockRef & { fields: Fields } {
  const fields = parseObject(value, 'block');
  const came = parseNumber(fields.number, 'block.number');
  if (came !== height)
    throw new RpcError(
      'contradiction',
      NODE_ERRORS.create('other_block_came', { asked: height, came }),
    );
  const hash = parseHash(fields.hash, 'block.hash');
  return { height, hash, parentHash: parseHash(fields.parentHash, 'block.parentHash'), fields };
}

function parseTransaction(value: unknown, blockHash: string): EvmTransaction {
  const { hash, from, to, value: amount, ...fields } = parseObject(value, 'transaction');
  const holder = parseHash(fields.blockHash ?? blockHash, 'transaction.blockHash');
  if (holder !== blockHash)
    throw new RpcError('contradiction', NODE_ERRORS.create('transaction_elsewhere'));
  return {
    hash: parseHash(hash, 'transaction.hash'),
    from: parseAddressKey(from, 'transaction.from'),
    to: to === null || to === undefined ? undefined : parseAddressKey(to, 'transaction.to'),
    value: parseQuantity(amount, 'transaction.value'),
  };
}

export function parseBlock(value: unknown, height: number): EvmBlock {
  const { fields, ...ref } = parseHeader(value, height);
  const transactions = parseList(fields.transactions, 'block.transactions').map((transaction) =>
    parseTransaction(transaction, ref.hash),
  );
  return { ...ref, logsBloom: parseData(fields.logsBloom, 'block.logsBloom'), transactions };
}

function parseLog(fields: Fields, blockHash: string): EvmLog {
  if (parseHash(fields.blockHash, 'log.blockHash') !== blockHash)
    throw new RpcError('contradiction', NODE_ERRORS.create('log_elsewhere'));
  return {
    address: parseAddressKey(fields.address, 'log.address'),
    topics: parseList(fields.topics, 'log.topics').map((topic) => parseHash(topic, 'log.topic')),
    data: parseData(fields.data, 'log.data'),
    logIndex: parseNumber(fields.logIndex, 'log.logIndex'),
    txHash: parseHash(fields.transactionHash, 'log.transactionHash'),
  };
}

/**
 * Logs of a block in their order; the same log twice is one, two different ones with one index are
 * a contradiction.
 */
export function parseLogs(value: unknown, blockHash: string): EvmLog[] {
  const byIndex = new Map<number, EvmLog>();
  const items = parseList(value, 'logs').map((item) => parseObject(item, 'log'));
  // A removed log is of a block that was replaced: this block never had it.
  for (const item of items.filter(({ removed }) => removed !== true)) {
    const log = parseLog(item, blockHash);
    const twin = byIndex.get(log.logIndex) ?? log;
    if (twin.txHash !== log.txHash || twin.data !== log.data || twin.address !== log.address)
      throw new RpcError(
        'contradiction',
        NODE_ERRORS.create('logs_collide', { place: log.logIndex }),
      );
    byIndex.set(log.logIndex, log);
  }
  return [...byIndex.values()].sort((a, b) => a.logIndex - b.logIndex);
}

export function parseReceipt(
  value: unknown,
  { height, hash }: BlockRef,
  txHash: string,
): EvmReceipt {
  if (value === null || value === undefined)
    throw new RpcError('contradiction', NODE_ERRORS.create('receipt_missing', { height }));
  const fields = parseObject(value, 'receipt');
  const isOther =
    parseHash(fields.blockHash, 'receipt.blockHash') !== hash ||
    parseHash(fields.transactionHash, 'receipt.transactionHash') !== txHash;
  if (isOther) throw new RpcError('contradiction', NODE_ERRORS.create('receipt_elsewhere'));
  const isSuccess = parseNumber(fields.status, 'receipt.status') === SUCCESS;
  return { txHash, isSuccess, logs: parseLogs(fields.logs, hash) };
}

const toKey = (topic: string | undefined): string => `0x${topic?.slice(-40)}`;

/** The key of the address that a log's token went to; undefined for all other logs. */
export function findReceiver({ topics, data }: EvmLog): string | undefined {
  const isTransfer =
    topics[0] === TRANSFER &&
    topics.length === TRANSFER_TOPICS &&
    data.length === WORD_DIGITS &&
    data !== ZERO_WORD;
  return isTransfer ? toKey(topics[2]) : undefined;
}

/** What watched addresses received by one successful transaction. */
export function listTransfers(
  { hash: txHash, from, to: receiver, value }: EvmTransaction,
  receipt: EvmReceipt,
  watched: ReadonlySet<string>,
): Transfer[] {
  if (!receipt.isSuccess) return [];
  const ofTokens = receipt.logs.flatMap((log, ordinal): Transfer[] => {
    const to = findReceiver(log);
    if (to === undefined || !watched.has(to)) return [];
    const sender = checksumAddress(toKey(log.topics[1]));
    const contract = checksumAddress(log.address);
    const amount = BigInt(log.data);
    return [{ txHash, confirmationsMin: 0, ordinal, to, from: sender, contract, amount }];
  });
  if (receiver === undefined || value === 0n || !watched.has(receiver)) return ofTokens;
  const ofCoin = {
    txHash,
    confirmationsMin: 0,
    ordinal: COIN_ORDINAL,
    to: receiver,
    from: checksumAddress(from),
    contract: undefined,
    amount: value,
  };
  return [ofCoin, ...ofTokens];
}
