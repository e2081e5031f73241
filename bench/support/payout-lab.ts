/** A thousand approved payouts on a real node, and the hot wallet's transactions without us. */
import { rmSync } from 'node:fs';
import { createWalletClient, encodeFunctionData, erc20Abi, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { anvil as chain } from 'viem/chains';
import { migrate, openServer } from '../../service/src/db/index.ts';
import { installLedger } from '../../service/src/ledger/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { createActions } from '../../service/test/support/payout-chain-actions.ts';
import { setUpPayouts, startChain } from '../../service/test/support/payout-chain-setup.ts';
import {
  HOT_KEY,
  HOT_WALLET,
  type Mutable,
  PAYEE,
} from '../../service/test/support/payout-chain-types.ts';
import { startPostgres } from '../../service/test/support/postgres-server.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';
import { findPostmaster } from '../harness/processor-time.ts';

const CONCURRENCY = 8;
const AMOUNT = '0.06';
const ARRIVES = 50_000n;
const GAS = 100_000n;
const GWEI = 10n ** 9n;

export async function openPayoutLab() {
  const postgres = await startPostgres({});
  const database = await openServer({ url: postgres.url, poolSize: 10, onError: () => undefined });
  await migrate(database);
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
  const lab = createActions({} as Mutable);
  await startChain(lab);
  await setUpPayouts(lab, database);
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  const signer = lab.open({ config: lab.config({ batch: 200, poll_ms: 10 }) });
  await signer.start();

  async function countSent(): Promise<number> {
    const counted = await database.query<{ count: number }>(
      `select count(*)::int as count from payout where status = 'sent'`,
    );
    return counted.rows[0]?.count ?? 0;
  }

  return {
    postmaster: findPostmaster(rows[0]?.pid ?? 0),
    /** Payouts that operators have approved by passkey. */
    async approve(count: number): Promise<void> {
      for (let done = 0; done < count; done += CONCURRENCY) {
        const wanted = Math.min(CONCURRENCY, count - done);
        const ids = await Promise.all(
          Array.from({ length: wanted }, () => lab.request(AMOUNT, 'USDT')),
        );
        await lab.review();
        for (const id of ids) await lab.approve(id);
      }
    },
    /** Runs the signer until so many more are sent. */
    async pay(count: number): Promise<void> {
      const goal = (await countSent()) + count;
      while ((await countSent()) < goal) await signer.cycle();
    },
    /** The same transactions, signed and sent by viem one after the other. */
    async payBare(count: number): Promise<void> {
      const account = privateKeyToAccount(HOT_KEY);
      const client = createWalletClient({ account, chain, transport: http(lab.anvil.url) });
      const args = [PAYEE, ARRIVES] as const;
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
      const fees = { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI, gas: GAS };
      const next = await lab.anvil.call('eth_getTransactionCount', [HOT_WALLET, 'pending']);
      for (let nonce = Number(next), end = nonce + count; nonce < end; nonce++) {
        const order = { to: lab.usdt, data, nonce, ...fees, type: 'eip1559' } as const;
        const serializedTransaction = await client.signTransaction(order);
        await client.sendRawTransaction({ serializedTransaction });
      }
    },
    /** Empties the pool of the chain. */
    mine: () => lab.anvil.mine(),
    async close(): Promise<void> {
      signer.close();
      await lab.service.stop();
      await database.close();
      await lab.anvil.stop();
      await postgres.stop();
      rmSync(lab.folder, { recursive: true });
    },
  };
}
