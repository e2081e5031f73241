/**
 * A chain with a token on a real node, and for every test of a suite a new database whose watcher
 * starts at the first block.
 */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Database } from '../../../src/db/index.ts';
import type { NetworkSettings } from '../../../src/deposits/index.ts';
import { type Engine, openTestDatabase } from '../databases.ts';
import { type Anvil, type Hex, startAnvil, type TxRequest } from './anvil.ts';
import { createDepositBench, type DepositBench, type Person } from './deposit-bench.ts';

export const CONFIRMATIONS = 3;
export const ONE_USDT = 1_000_000n;
/** High enough to replace transactions of the pool. */
const GAS_PRICE = 10n ** 11n;

export interface EvmLab {
  readonly anvil: Anvil;
  readonly usdt: Hex;
  readonly database: Database;
  readonly bench: DepositBench;
  readonly alice: Person;
  /** Puts a payment into the pool; returns its hash. */
  payUsdt(to: Hex, amount: bigint, options?: Pick<TxRequest, 'from' | 'nonce'>): Promise<Hex>;
}

export interface EvmLabOptions {
  readonly engine: Engine;
  readonly settings?: NetworkSettings;
  /** Nodes in place of the chain's own, for example proxies. */
  readonly rpcUrls?: () => readonly string[];
}

/** Registers the hooks of the suite; its result is usable from the suite's `beforeAll` on. */
export function useEvmLab({ engine, settings = {}, rpcUrls }: EvmLabOptions): EvmLab {
  const lab = {
    payUsdt: (to, amount, options = {}) =>
      lab.anvil.send({
        to: lab.usdt,
        data: lab.anvil.encode('pay', [to, amount]),
        gasPrice: GAS_PRICE,
        ...options,
      }),
  } as EvmLab;
  let genesis: string;

  beforeAll(async () => {
    const anvil = await startAnvil();
    Object.assign(lab, { anvil, usdt: await anvil.deployToken('USDT', 6) });
    genesis = await anvil.call<string>('evm_snapshot');
  });
  afterAll(() => lab.anvil.stop());

  beforeEach(async () => {
    await lab.anvil.call('anvil_dropAllTransactions');
    await lab.anvil.call('evm_revert', [genesis]);
    genesis = await lab.anvil.call<string>('evm_snapshot');
    const database = await openTestDatabase(engine);
    const bench = createDepositBench(database);
    await bench.configure(rpcUrls?.() ?? [lab.anvil.url], {
      requiredConfirmations: CONFIRMATIONS,
      ...settings,
    });
    await bench.addToken('USDT', lab.usdt, 6, { minDeposit: ONE_USDT });
    await bench.addToken('ETH', undefined, 18);
    Object.assign(lab, { database, bench, alice: await bench.addPerson() });
    return () => database.close();
  });

  return lab;
}
