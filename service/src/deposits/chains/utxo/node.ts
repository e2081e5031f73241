/** An RPC endpoint of a chain of the Bitcoin family: the same interface as that of an EVM chain. */
import { parseAmount } from '../../../lib/money.ts';
import type { BlockRef, ChainNode, FetchedBlock, Payment, Transfer } from '../chain.ts';
import { type Fields, parseCount, parseList, parseObject, parseText } from '../fields.ts';
import {
  callUnlessRefused,
  createJsonRpc,
  type JsonRpc,
  type JsonRpcOptions,
  malformed,
  RpcError,
} from '../json-rpc.ts';
import { mapInChunks } from '../map-in-chunks.ts';
import { NODE_ERRORS } from '../node-errors.ts';
import { readSpentAt } from './spent.ts';

const SCALE = 8;
/** Newly mined coins may not be spent earlier. */
const COINBASE_MATURITY = 100;
const OUT_OF_RANGE = -8;
const NOT_FOUND = -5;
/** A scan reads the whole set of outputs, which takes a main network minutes. */
const SCAN_MS = 600_000;
const GENESIS_PARENT = '0'.repeat(64);
const HASH = /^[0-9a-f]{64}$/;

/** Nodes written in Go print less than a millionth as `1e-08`. */
function withoutExponent(text: string): string {
  const [, whole, decimals = '', zeros] = /^(\d)(?:\.(\d{1,8}))?[eE]-(\d{1,2})$/.exec(text) ?? [];
  return whole === undefined ? text : `0.${'0'.repeat(Number(zeros) - 1)}${whole}${decimals}`;
}

/** Coins as a node prints them, for example `0.10000000`, in the smallest unit. */
function parseCoins(value: unknown): bigint {
  if (typeof value !== 'string' && typeof value !== 'number') throw malformed('amount', value);
  try {
    return parseAmount(withoutExponent(String(value)), SCALE);
  } catch {
    throw malformed('amount', value);
  }
}

/** The key of the one address that an output pays to, where it has one. */
function findReceiver({ address, addresses }: Fields): string | undefined {
  const [only, ...others] = Array.isArray(addresses) ? addresses : [];
  const receiver = address ?? (others.length === 0 ? only : undefined);
  return typeof receiver === 'string' ? receiver.toLowerCase() : undefined;
}

function parseTransaction(value: unknown): Transfer[] {
  const fields = parseObject(value, 'transaction');
  const txHash = parseText(HASH, fields.txid, 'transaction.txid');
  const isCoinbase = parseList(fields.vin, 'transaction.vin').some(
    (input) => 'coinbase' in parseObject(input, 'input'),
  );
  const confirmationsMin = isCoinbase ? COINBASE_MATURITY : 0;
  return parseList(fields.vout, 'transaction.vout').flatMap((item) => {
    const output = parseObject(item, 'output');
    const to = findReceiver(parseObject(output.scriptPubKey, 'output.scriptPubKey'));
    const amount = parseCoins(output.value);
    if (to === undefined || amount <= 0n) return [];
    const ordinal = parseCount(output.n, 'output.n');
    return [
      { txHash, from: undefined, contract: undefined, confirmationsMin, ordinal, to, amount },
    ];
  });
}

/** Reads a block or its header, by the hash that the endpoint has at this height. */
async function readAt(
  rpc: JsonRpc,
  height: number,
  method: 'getblock' | 'getblockheader',
): Promise<(BlockRef & { fields: Fields }) | undefined> {
  const unknown = [OUT_OF_RANGE, NOT_FOUND];
  const answer = await callUnlessRefused(rpc, 'getblockhash', [height], unknown);
  if (answer === undefined) return undefined;
  const hash = parseText(HASH, answer, 'block hash');
  const parameters = method === 'getblock' ? [hash, 2] : [hash];
  const fields = parseObject(await rpc.call(method, parameters), 'block');
  const isOther =
    parseCount(fields.height, 'block.height') !== height ||
    parseText(HASH, fields.hash, 'block.hash') !== hash;
  // `confirmations` is -1 for a block that was replaced between two calls.
  if (isOther || fields.confirmations === -1)
    throw new RpcError('contradiction', NODE_ERRORS.create('block_replaced_meanwhile', { height }));
  const { previousblockhash: parent = GENESIS_PARENT } = fields;
  return { height, hash, parentHash: parseText(HASH, parent, 'block.previousblockhash'), fields };
}

async function readBlock(rpc: JsonRpc, height: number): Promise<FetchedBlock | undefined> {
  const block = await readAt(rpc, height, 'getblock');
  if (!block) return undefined;
  const { fields, ...ref } = block;
  const transfers = parseList(fields.tx, 'block.tx').flatMap(parseTransaction);
  return {
    ...ref,
    recipients: [...new Set(transfers.map(({ to }) => to))],
    readTransfers: async (watched) => transfers.filter(({ to }) => watched.has(to)),
  };
}

async function readTransaction(rpc: JsonRpc, txHash: string): Promise<Fields | undefined> {
  const answer = await callUnlessRefused(rpc, 'getrawtransaction', [txHash, true], [NOT_FOUND]);
  return answer === undefined ? undefined : parseObject(answer, 'transaction');
}

interface Output {
  readonly amount: bigint;
  /** Undefined for a script that has no address. */
  readonly to: string | undefined;
}

function parseOutput(value: unknown): Output {
  const fields = parseObject(value, 'output');
  return {
    amount: parseCoins(fields.value),
    to: findReceiver(parseObject(fields.scriptPubKey, 'output.scriptPubKey')),
  };
}

/** The output that an input spends. */
async function readSpent(rpc: JsonRpc, input: unknown): Promise<Output> {
  const { txid, vout } = parseObject(input, 'input');
  const fields = await readTransaction(rpc, parseText(HASH, txid, 'input.txid'));
  const at = parseCount(vout, 'input.vout');
  return parseOutput(parseList(fields?.vout, 'transaction.vout')[at]);
}

/** The node needs an index of all transactions (`txindex=1`). */
async function readPayment(
  rpc: JsonRpc,
  txHash: string,
  address: string,
): Promise<Payment | undefined> {
  const fields = await readTransaction(rpc, txHash);
  if (fields?.blockhash === undefined) return undefined;
  const blockHash = parseText(HASH, fields.blockhash, 'transaction.blockhash');
  const header = parseObject(await rpc.call('getblockheader', [blockHash]), 'header');
  if (header.confirmations === -1) return undefined;
  const spent = await mapInChunks(parseList(fields.vin, 'transaction.vin'), 1, (input) =>
    readSpent(rpc, input),
  );
  const paid = parseList(fields.vout, 'transaction.vout').map(parseOutput);
  const sum = (outputs: readonly Output[]): bigint =>
    outputs.reduce((total, { amount }) => total + amount, 0n);
  const own = address.toLowerCase();
  return {
    height: parseCount(header.height, 'header.height'),
    blockHash,
    isSuccess: true,
    fee: sum(spent) - sum(paid),
    transfers: parseTransaction(fields).filter(({ to }) => to === own),
    isToSelf: [...spent, ...paid].every(({ to }) => to === own),
  };
}

export interface UtxoNodeOptions extends JsonRpcOptions {
  readonly url: string;
  readonly label: string;
  readonly addressPrefix: string;
}

/** The name that a node gives its chain, by the prefix of the chain's addresses. */
const CHAINS: Readonly<Record<string, string>> = {
  bc: 'main',
  ltc: 'main',
  tb: 'test',
  tltc: 'test',
  bcrt: 'regtest',
  rltc: 'regtest',
};

export function createUtxoNode({
  url,
  label,
  addressPrefix,
  ...options
}: UtxoNodeOptions): ChainNode {
  const rpc = createJsonRpc(url, { ...options, exactDecimals: true });
  const scanRpc = createJsonRpc(url, { ...options, exactDecimals: true, timeout_ms: SCAN_MS });
  return {
    label,
    async checkIdentity() {
      const { chain } = parseObject(await rpc.call('getblockchaininfo', []), 'chain info');
      const expected = CHAINS[addressPrefix];
      if (expected === undefined || chain === expected) return;
      const reason = NODE_ERRORS.create('wrong_chain', { told: String(chain), expected });
      throw new RpcError('contradiction', reason);
    },
    async readHead() {
      const height = parseCount(await rpc.call('getblockcount', []), 'height');
      return { height, finalizedHeight: undefined };
    },
    readHeader: (height) => readAt(rpc, height, 'getblockheader'),
    readBlock: (height) => readBlock(rpc, height),
    readDecimals: async () => undefined,
    runCode: async () => undefined,
    readPayment: (txHash, address) => readPayment(rpc, txHash, address),
    countSent: async () => undefined,
    readSpentAt: (output) => readSpentAt(rpc, output),
    // A node scans for one call at a time.
    readBalances: (holdings) =>
      mapInChunks(holdings, 1, async ({ address }) => {
        const scan = await scanRpc.call('scantxoutset', ['start', [`addr(${address})`]]);
        return parseCoins(parseObject(scan, 'scan').total_amount);
      }),
  };
}
