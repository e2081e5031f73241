/** The tokens of the hot wallet: in the books, and in the contract of the test token. */
import { encodeAbiParameters, keccak256 } from 'viem';
import { type Posting, postTransfers } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Hex } from './chains/anvil.ts';
import { type ChainLab, ETH, HOT_WALLET } from './payout-chain-types.ts';

/** Of `balanceOf` in the test token. */
const SLOT = 2n;
export const USDT = 10n ** 6n;

/** One posting that may overdraw. */
export async function postOne(
  { database }: ChainLab,
  posting: Pick<Posting, 'currency' | 'amount' | 'debit' | 'credit'>,
): Promise<void> {
  const [result] = await postTransfers(database, [
    {
      ...{ idempotencyKey: crypto.randomUUID(), mayOverdraw: true, ...posting },
      ...{ businessId: 'adjustment', eventAt: systemClock.now() },
    },
  ]);
  if (result?.status !== 'posted') throw new Error(`not posted: ${JSON.stringify(result)}`);
}

/** The operator's postings when the hot wallet is funded; the chain gives it as many tokens. */
export async function fundHotWallet(lab: ChainLab, tokens = 1000n * USDT): Promise<void> {
  await setTokens(lab, tokens);
  const common = { debit: { house: 'withdrawal_clearing' }, credit: { house: 'deposit_clearing' } };
  await postOne(lab, { ...common, currency: 'ETH', amount: 100n * ETH });
  await postOne(lab, { ...common, currency: 'USDT', amount: tokens });
}

/** Sets the tokens of the hot wallet: without any, its transfers revert. */
export async function setTokens({ anvil, usdt }: ChainLab, amount: bigint): Promise<void> {
  const key = encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [HOT_WALLET, SLOT]);
  const value: Hex = `0x${amount.toString(16).padStart(64, '0')}`;
  await anvil.call('anvil_setStorageAt', [usdt, keccak256(key), value]);
}

export async function tokensOf({ anvil, usdt }: ChainLab, address: string): Promise<bigint> {
  const data = anvil.encode('balanceOf', [address]);
  return BigInt(await anvil.call<Hex>('eth_call', [{ to: usdt, data }, 'latest']));
}
