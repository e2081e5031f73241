/** SIGKILL of the signer at each write and each call: nothing is paid twice, nothing is lost. */
import { describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../support/databases.ts';
import { writeSignerConfig } from '../support/payout-chain-actions.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { ETH, HOT_KEY, HOT_WALLET, PAYEE } from '../support/payout-chain-types.ts';
import { runSignerChild } from '../support/run-signer-child.ts';
import { sized } from '../support/scale.ts';

/** Every nth step. */
const STRIDE = sized({ quick: 29, full: 29, soak: 1 });
const TIMEOUT_MS = sized({ quick: 180_000, full: 600_000, soak: 3_600_000 });

describe.each(RUN_ENGINES)('a signer that is killed, on %s', (engine) => {
  const lab = useChainLab(engine);

  test('pays two payouts once each, wherever it is killed', { timeout: TIMEOUT_MS }, async () => {
    const env = { SIGNER_KEY: HOT_KEY, SIGNER_CLIENT_SECRET: lab.clientSecret };
    const path = writeSignerConfig(lab);
    // Enough for two payouts at each step.
    const funds = `0x${(10_000n * ETH).toString(16)}`;
    await lab.anvil.call('anvil_setBalance', [HOT_WALLET, funds]);
    let kills = 0;
    let paid = 0n;
    const before = await lab.onChain(PAYEE);
    for (let killAt = 1; ; killAt += STRIDE) {
      const ids = [await lab.approved('1'), await lab.approved('2')];
      const steps = await runSignerChild(path, killAt, env);
      if (steps === undefined) kills++;
      expect(await runSignerChild(path, 0, env)).toBeGreaterThan(0);
      await lab.anvil.mine(3);
      await lab.follow();
      paid += (298n * ETH) / 100n;
      expect((await lab.onChain(PAYEE)) - before).toBe(paid);
      for (const id of ids) expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
      if (steps !== undefined) break;
    }
    expect(kills).toBeGreaterThan(1);
    const count = Number(await lab.anvil.call('eth_getTransactionCount', [HOT_WALLET, 'latest']));
    expect(count).toBe(2 * (kills + 1));
  });
});
