/**
 * The payments of a chain, read naively, block by block, without code of the service.
 */
import type { Anvil, Hex } from './anvil.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

interface RawBlock {
  readonly transactions: readonly { hash: Hex; to: Hex | null; value: Hex }[];
}
interface RawReceipt {
  readonly status: Hex;
  readonly logs: readonly { address: Hex; topics: readonly string[]; data: Hex }[];
}

/**
 * Amounts by `address/contract` (`address/coin` for the coin), from the first block to `height`;
 * below the minimum not counted.
 */
export async function readChainTruth(
  anvil: Anvil,
  height: number,
  minimum: bigint,
): Promise<Map<string, bigint>> {
  const sums = new Map<string, bigint>();
  const add = (key: string, amount: bigint): void => {
    if (amount >= minimum && amount > 0n) sums.set(key, (sums.get(key) ?? 0n) + amount);
  };
  for (let at = 0; at <= height; at++) {
    const block = await anvil.call<RawBlock>('eth_getBlockByNumber', [
      `0x${at.toString(16)}`,
      true,
    ]);
    for (const { hash, to, value } of block.transactions) {
      const receipt = await anvil.call<RawReceipt>('eth_getTransactionReceipt', [hash]);
      if (receipt.status !== '0x1') continue;
      if (to) add(`${to}/coin`, BigInt(value));
      for (const log of receipt.logs) {
        const [signature, , receiver] = log.topics;
        if (signature === TRANSFER && receiver)
          add(`0x${receiver.slice(-40)}/${log.address}`, BigInt(log.data));
      }
    }
  }
  return sums;
}
