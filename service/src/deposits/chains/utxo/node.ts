/** One node of a chain of the Bitcoin family: the same interface as an EVM node. */
import { parseAmount } from '../../../lib/money.ts';
import type { BlockRef, ChainNode, FetchedBlock, Holding, Transfer } from '../chain.ts';
import {
  createJsonRpc,
  type JsonRpc,
  type JsonRpcOptions,
  malformed,
  RpcError,
} from '../json-rpc.ts';
import { NODE_ERRORS } from '../node-errors.ts';

const SCALE = 8;
/** Newly mined coins may not be spent earlier. */
const COINBASE_MATURITY = 100;
const OUT_OF_RANGE = -8;
const NOT_FOUND = -5;
const GENESIS_PARENT = '0'.repeat(64);
const HASH = /^[0-9a-f]{64}$/;

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed(name, value);
  return value as Fields;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw malformed(name, value);
  return value;
}

function hashOf(value: unknown, name: string): string {
  if (typeof value !== 'string' || !HASH.test(value)) throw malformed(name, value);
  return value;
}

function countOf(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw malformed(name, value);
  return value;
}

/** Nodes written in Go print less than a millionth as `1e-08`. */
function withoutExponent(text: string): string {
  const [, whole, decimals = '', zeros] = /^(\d)(?:\.(\d{1,8}))?[eE]-(\d{1,2})$/.exec(text) ?? [];
  return whole === undefined ? text : `0.${'0'.repeat(Number(zeros) - 1)}${whole}${decimals}`;
}

/** Coins as their node prints them, for example `0.10000000`, in the smallest unit. */
function amountOf(value: unknown): bigint {
  if (typeof value !== 'string' && typeof value !== 'number') throw malformed('amount', value);
  try {
    return parseAmount(withoutExponent(String(value)), SCALE);
  } catch {
    throw malformed('amount', value);
  }
}

/** The one address that an output pays to, where it has one. */
function addressOf(script: Fields): string | undefined {
  const listed =
    Array.isArray(script.addresses) && script.addresses.length === 1
      ? script.addresses[0]
      : undefined;
  const address = script.address ?? listed;
  return typeof address === 'string' ? address.toLowerCase() : undefined;
}

function readTransaction(value: unknown): Transfer[] {
  const fields = fieldsOf(value, 'transaction');
  const txHash = hashOf(fields.txid, 'transaction.txid');
  const isCoinbase = listOf(fields.vin, 'transaction.vin').some(
    (input) => 'coinbase' in fieldsOf(input, 'input'),
  );
  const transfers: Transfer[] = [];
  for (const item of listOf(fields.vout, 'transaction.vout')) {
    const output = fieldsOf(item, 'output');
    const to = addressOf(fieldsOf(output.scriptPubKey, 'output.scriptPubKey'));
    const amount = amountOf(output.value);
    if (to === undefined || amount <= 0n) continue;
    const common = {
      txHash,
      from: undefined,
      contract: undefined,
      confirmationsMin: isCoinbase ? COINBASE_MATURITY : 0,
    };
    transfers.push({ ...common, ordinal: countOf(output.n, 'output.n'), to, amount });
  }
  return transfers;
}

function readRef(value: unknown, height: number, hash: string): BlockRef & { fields: Fields } {
  const fields = fieldsOf(value, 'block');
  const isOther =
    countOf(fields.height, 'block.height') !== height || hashOf(fields.hash, 'block.hash') !== hash;
  // `confirmations` is -1 for a block that was replaced between two calls.
  if (isOther || fields.confirmations === -1)
    throw new RpcError('contradiction', NODE_ERRORS.say('block_replaced_meanwhile', { height }));
  const parentHash =
    fields.previousblockhash === undefined
      ? GENESIS_PARENT
      : hashOf(fields.previousblockhash, 'block.previousblockhash');
  return { height, hash, parentHash, fields };
}

async function readHash(rpc: JsonRpc, height: number): Promise<string | undefined> {
  try {
    return hashOf(await rpc.call('getblockhash', [height]), 'block hash');
  } catch (error) {
    if (
      error instanceof RpcError &&
      error.kind === 'refused' &&
      (error.rpcCode === OUT_OF_RANGE || error.rpcCode === NOT_FOUND)
    )
      return undefined;
    throw error;
  }
}

async function readBalances(rpc: JsonRpc, holdings: readonly Holding[]): Promise<bigint[]> {
  const balances: bigint[] = [];
  for (const { address } of holdings) {
    const answer = fieldsOf(
      await rpc.call('scantxoutset', ['start', [`addr(${address})`]]),
      'scan',
    );
    balances.push(amountOf(answer.total_amount));
  }
  return balances;
}

export interface UtxoNodeOptions extends JsonRpcOptions {
  readonly url: string;
  readonly label: string;
  readonly addressPrefix: string;
}

/** Which chain a node calls by which prefix of its addresses. */
const CHAIN_OF_PREFIX: Readonly<Record<string, string>> = {
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

  async function readBlock(height: number): Promise<FetchedBlock | undefined> {
    const hash = await readHash(rpc, height);
    if (hash === undefined) return undefined;
    const { fields, ...ref } = readRef(await rpc.call('getblock', [hash, 2]), height, hash);
    const transfers = listOf(fields.tx, 'block.tx').flatMap(readTransaction);
    return {
      ...ref,
      recipients: [...new Set(transfers.map(({ to }) => to))],
      readTransfers: async (watched) => transfers.filter(({ to }) => watched.has(to)),
    };
  }

  return {
    label,
    async checkIdentity() {
      const { chain } = fieldsOf(await rpc.call('getblockchaininfo', []), 'chain info');
      const expected = CHAIN_OF_PREFIX[addressPrefix];
      if (expected !== undefined && chain !== expected)
        throw new RpcError(
          'contradiction',
          NODE_ERRORS.say('wrong_chain', { told: String(chain), expected }),
        );
    },
    async readHead() {
      return {
        height: countOf(await rpc.call('getblockcount', []), 'height'),
        finalizedHeight: undefined,
      };
    },
    async readHeader(height) {
      const hash = await readHash(rpc, height);
      if (hash === undefined) return undefined;
      const { fields: _, ...ref } = readRef(await rpc.call('getblockheader', [hash]), height, hash);
      return ref;
    },
    readBlock,
    readDecimals: async () => undefined,
    readBalances: (holdings) => readBalances(rpc, holdings),
  };
}
