/** One of two endpoints lies about a transaction in a block that both have, or is slow. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Hex } from '../support/chains/anvil.ts';
import { type FaultProxy, type Intercept, startFaultProxy } from '../support/chains/fault-proxy.ts';
import { RUN_ENGINES } from '../support/databases.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { CONFIRMATIONS, HOT_WALLET, PAYEE, WINDOW } from '../support/payout-chain-types.ts';
import { fundHotWallet, setTokens, USDT } from '../support/payout-tokens.ts';

/** Topic of `Transfer` in ERC-20. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

interface Receipt {
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
}

/** Changes receipts; everything else is what the chain says. */
const receiptsWith =
  (change: object): Intercept =>
  async ({ method }, ask) => {
    const answer = await ask();
    const isReceipt = method === 'eth_getTransactionReceipt' && answer !== null;
    return isReceipt ? { ...(answer as object), ...change } : answer;
  };

describe.each(RUN_ENGINES)('an endpoint that lies about payouts, on %s', (engine) => {
  const lab = useChainLab(engine);
  let liar: FaultProxy;

  beforeEach(async () => {
    await fundHotWallet(lab);
    liar = await startFaultProxy(lab.anvil.url);
    const settings = { requiredConfirmations: CONFIRMATIONS, reorgWindow: WINDOW };
    // The first one that answers is asked.
    await lab.bench.configure([liar.url, lab.anvil.url], settings);
  });
  afterEach(() => liar.stop());

  /** A payout whose transaction waits for a block. */
  async function sent(): Promise<number> {
    const id = await lab.approved('6', 'USDT');
    const signer = lab.open();
    await signer.cycle();
    signer.close();
    return id;
  }

  /** A payout whose transaction is in a block that is final. */
  async function paid(): Promise<number> {
    const id = await sent();
    await lab.anvil.mine(WINDOW + 2);
    return id;
  }

  /** What the token would write, had the hot wallet paid. */
  function transferLog(amount: bigint) {
    const toTopic = (address: string): Hex => `0x${address.slice(2).padStart(64, '0')}`;
    return {
      address: lab.usdt,
      topics: [TRANSFER, toTopic(HOT_WALLET), toTopic(PAYEE)],
      data: `0x${amount.toString(16).padStart(64, '0')}`,
      logIndex: '0x0',
    };
  }

  test('that a transaction has reverted: no money is given back', async () => {
    const id = await paid();
    liar.intercept(receiptsWith({ status: '0x0', logs: [] }));
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'sent', refunds: 0 });
    expect(await lab.balance(lab.user, 'USDT')).toMatchObject({ hold: 6n * USDT });
    liar.intercept(undefined);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed', reason_code: 'deep_enough' });
    expect(await lab.verify()).toEqual([]);
  });

  test('that a transaction has cost more: no such fee is booked', async () => {
    const id = await paid();
    liar.intercept(receiptsWith({ effectiveGasPrice: '0xde0b6b3a7640000' }));
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
    liar.intercept(undefined);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await lab.verify()).toEqual([]);
  });

  test('a payout that is settled while the wallets are read makes no difference', async () => {
    const id = await paid();
    let isFollowed = false;
    liar.intercept(async ({ method }, ask) => {
      // The payouts under way are read, and the ledger is not yet.
      if (method === 'eth_getTransactionReceipt' && !isFollowed) {
        isFollowed = true;
        await lab.follow();
      }
      return ask();
    });
    expect(await lab.verify()).toEqual([]);
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
  });

  test('that a reverted transaction has paid: it is not confirmed', async () => {
    const id = await sent();
    await setTokens(lab, 0n);
    await lab.anvil.mine(WINDOW + 2);
    liar.intercept(async ({ method }, ask) => {
      const answer = (await ask()) as Receipt | null;
      if (method !== 'eth_getTransactionReceipt' || answer === null) return answer;
      const { blockHash, transactionHash } = answer;
      const paid = { ...transferLog(5_990_000n), blockHash, transactionHash };
      return { ...answer, status: '0x1', logs: [paid] };
    });
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'sent', reason_code: 'in_block' });
    liar.intercept(undefined);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'failed', reason_code: 'reverted' });
  });
});
