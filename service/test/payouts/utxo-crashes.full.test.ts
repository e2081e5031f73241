/** SIGKILL of a UTXO signer at each write and each call: nothing is paid twice, nothing is lost. */
import { describe, expect, test } from 'vitest';
import { litecoinMissing } from '../support/chains/litecoin.ts';
import { writeSignerConfig } from '../support/payout-chain-actions.ts';
import { COIN, useUtxoLab } from '../support/payout-utxo-lab.ts';
import { runSignerChild } from '../support/run-signer-child.ts';
import { sized } from '../support/scale.ts';

/** Every nth step. */
const STRIDE = sized({ quick: 23, full: 5, soak: 1 });
const TIMEOUT_MS = sized({ quick: 180_000, full: 600_000, soak: 3_600_000 });

if (litecoinMissing !== undefined) console.warn(`The UTXO tests are skipped: ${litecoinMissing}.`);

describe.skipIf(litecoinMissing !== undefined)('a UTXO signer that is killed', () => {
  const lab = useUtxoLab();

  test('pays two payouts once each, wherever it is killed', { timeout: TIMEOUT_MS }, async () => {
    await lab.fund(100, 100, 100);
    const env = { SIGNER_KEY: lab.key, SIGNER_CLIENT_SECRET: lab.clientSecret };
    const path = writeSignerConfig(lab);
    let kills = 0;
    let paid = 0n;
    for (let killAt = 1; ; killAt += STRIDE) {
      const ids = [await lab.approved('0.1'), await lab.approved('0.2')];
      const steps = await runSignerChild(path, killAt, env);
      if (steps === undefined) kills++;
      expect(await runSignerChild(path, 0, env)).toBeGreaterThan(0);
      await lab.node.mine(3);
      await lab.follow();
      paid += (28n * COIN) / 100n;
      expect(await lab.onChain(lab.payee)).toBe(paid);
      for (const id of ids) expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
      expect(await lab.verify()).toEqual([]);
      if (steps !== undefined) break;
    }
    expect(kills).toBeGreaterThan(1);
  });
});
