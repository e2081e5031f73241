/** One transaction of an EVM chain, with its fee and what it paid. */
import type { Payment } from '../chain.ts';
import { parseObject } from '../fields.ts';
import type { JsonRpc } from '../json-rpc.ts';
import { listTransfers, parseReceipt } from './blocks.ts';
import { parseAddressKey, parseHash, parseNumber, parseQuantity } from './fields.ts';

/** Undefined when no block contains it. */
export async function readPayment(
  rpc: JsonRpc,
  txHash: string,
  address: string,
): Promise<Payment | undefined> {
  const answer = await rpc.call('eth_getTransactionReceipt', [txHash]);
  if (answer === null) return undefined;
  const fields = parseObject(answer, 'receipt');
  const height = parseNumber(fields.blockNumber, 'receipt.blockNumber');
  const hash = parseHash(fields.blockHash, 'receipt.blockHash');
  const receipt = parseReceipt(answer, { height, hash, parentHash: hash }, txHash);
  const found = await rpc.call('eth_getTransactionByHash', [txHash]);
  // Replaced between two calls.
  if (found === null) return undefined;
  const { from, to, value } = parseObject(found, 'transaction');
  const transaction = {
    hash: txHash,
    from: parseAddressKey(from, 'transaction.from'),
    to: to === null || to === undefined ? undefined : parseAddressKey(to, 'transaction.to'),
    value: parseQuantity(value, 'transaction.value'),
  };
  const gas = parseQuantity(fields.gasUsed, 'receipt.gasUsed');
  const price = parseQuantity(fields.effectiveGasPrice, 'receipt.effectiveGasPrice');
  // A layer-2 chain also charges for publishing on its layer 1.
  const ofOtherChain =
    fields.l1Fee === undefined ? 0n : parseQuantity(fields.l1Fee, 'receipt.l1Fee');
  const own = address.toLowerCase();
  return {
    height,
    blockHash: hash,
    isToSelf: transaction.from === own && transaction.to === own,
    isSuccess: receipt.isSuccess,
    fee: gas * price + ofOtherChain,
    transfers: listTransfers(transaction, receipt, new Set([own])),
  };
}
