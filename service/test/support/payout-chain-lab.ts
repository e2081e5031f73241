/** A real chain, the service over HTTP, operators with passkeys, and signers with one key. */
import { rmSync } from 'node:fs';
import { beforeAll, beforeEach, expect } from 'vitest';
import { verifyLedger } from '../../src/ledger/index.ts';
import { verifyDecisions } from '../../src/payouts/index.ts';
import { type Engine, openTestDatabase } from './databases.ts';
import { createActions } from './payout-chain-actions.ts';
import { setUpPayouts, startChain } from './payout-chain-setup.ts';
import { type ChainLab, CONFIRMATIONS, type Mutable } from './payout-chain-types.ts';

/** A new service and hot wallet; returns how they end, with the books verified. */
async function prepare(lab: Mutable, engine: Engine): Promise<() => Promise<void>> {
  const snapshot = await lab.anvil.call('evm_snapshot');
  await setUpPayouts(lab, await openTestDatabase(engine));
  return async () => {
    expect((await verifyLedger(lab.database, [])).findings).toEqual([]);
    expect((await verifyDecisions(lab.database)).problems).toEqual([]);
    await lab.service.stop();
    await lab.database.close();
    rmSync(lab.folder, { recursive: true });
    await lab.anvil.call('anvil_dropAllTransactions');
    await lab.anvil.call('evm_revert', [snapshot]);
    // The chain has states of its last few thousand blocks: those before the snapshot may be gone.
    await lab.anvil.mine(CONFIRMATIONS + 1);
  };
}

/**
 * Registers the hooks of a suite: one chain, and a new service and hot wallet for each test, or for
 * all of them.
 */
export function useChainLab(engine: Engine, { isShared = false } = {}): ChainLab {
  const lab = {} as Mutable;
  createActions(lab);
  beforeAll(async () => {
    await startChain(lab);
    // Cleanups run in reverse: the chain outlives the service.
    return () => lab.anvil.stop();
  });
  if (isShared) beforeAll(() => prepare(lab, engine));
  else beforeEach(() => prepare(lab, engine));
  return lab;
}
