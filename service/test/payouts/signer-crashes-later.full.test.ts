/**
 * SIGKILL of the signer on the paths that are not in `signer-crashes.full.test.ts`: it replaces a
 * transaction that is stuck, and sends again what a reorganisation took away.
 */
import { describe, expect, test } from 'vitest';
import { writeSignerConfig } from '../support/payout-chain-actions.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { ETH, HOT_KEY, HOT_WALLET, PAYEE } from '../support/payout-chain-types.ts';
import { runSignerChild } from '../support/run-signer-child.ts';
import { sized } from '../support/scale.ts';

/** Every nth step. */
const STRIDE = sized({ quick: 17, full: 5, soak: 1 });
const timeout = sized({ quick: 180_000, full: 600_000, soak: 3_600_000 });
const NET = (99n * ETH) / 100n;
const GWEI = 10n ** 9n;
/** After this time a transaction is stuck. */
const LATER_MS = 200_000;

describe('a signer that is killed', () => {
  const lab = useChainLab('server');

  /** The fee of the next blocks, whatever was paid before. */
  async function mineAt(baseFee: bigint): Promise<void> {
    const fee = `0x${baseFee.toString(16)}`;
    await lab.anvil.call('anvil_setNextBlockBaseFeePerGas', [fee]);
    await lab.anvil.mine();
  }

  async function send(): Promise<void> {
    const signer = lab.open();
    await signer.start();
    await signer.cycle();
    signer.close();
  }

  /** How many transactions the service knows of a payout. */
  async function countTransactions(id: number): Promise<number> {
    const text = 'select from payout_transaction where payout_id = $1';
    return (await lab.database.query(text, [id])).rowCount;
  }

  interface Path {
    readonly later_ms: number;
    readonly transactions: number;
    /** Leaves a payout that was sent, and that the chain has not paid. */
    prepare(): Promise<void>;
  }

  /** Kills a signer at each step after `prepare`: each payout is paid once, by one nonce. */
  async function killEverywhere({ later_ms, transactions, prepare }: Path): Promise<void> {
    const secrets = { SIGNER_KEY: HOT_KEY, SIGNER_CLIENT_SECRET: lab.clientSecret };
    const env = { ...secrets, SIGNER_LATER_MS: String(later_ms) };
    const path = writeSignerConfig(lab);
    const funds = `0x${(10_000n * ETH).toString(16)}`;
    await lab.anvil.call('anvil_setBalance', [HOT_WALLET, funds]);
    const before = await lab.onChain(PAYEE);
    let kills = 0;
    for (let killAt = 1, paid = 0n; ; killAt += STRIDE) {
      await mineAt(GWEI);
      const id = await lab.approved('1');
      await prepare();
      expect(await countTransactions(id)).toBe(1);
      expect((await lab.onChain(PAYEE)) - before).toBe(paid);
      const steps = await runSignerChild(path, killAt, env);
      if (steps === undefined) kills++;
      expect(await runSignerChild(path, 0, env)).toBeGreaterThan(0);
      await lab.anvil.mine(4);
      await lab.follow();
      paid += NET;
      expect((await lab.onChain(PAYEE)) - before).toBe(paid);
      expect(await lab.read(id)).toMatchObject({ status: 'confirmed', refunds: 0 });
      expect(await countTransactions(id)).toBe(transactions);
      const count = await lab.anvil.call('eth_getTransactionCount', [HOT_WALLET, 'latest']);
      expect(BigInt(count as string)).toBe(paid / NET);
      if (steps !== undefined) break;
    }
    expect(kills).toBeGreaterThan(1);
  }

  test('replaces what is stuck by one transaction that is paid', { timeout }, () =>
    killEverywhere({
      ...{ later_ms: LATER_MS, transactions: 2 },
      async prepare() {
        await send();
        // Above what the transaction pays.
        await mineAt(10n * GWEI);
      },
    }),
  );

  test('sends again what a reorganisation took away', { timeout }, () =>
    killEverywhere({
      ...{ later_ms: 0, transactions: 1 },
      async prepare() {
        await send();
        await lab.anvil.mine(4);
        // It is final here.
        await send();
        await lab.anvil.rollback(4);
        await lab.anvil.mine(5);
      },
    }),
  );
});
