/** SIGKILL of the signer at each write and each call: nothing is paid twice, nothing is lost. */
import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { CHILD_FLAGS, childCache } from '../support/child-node.ts';
import { RUN_ENGINES } from '../support/databases.ts';
import { writeSignerConfig } from '../support/payout-chain-actions.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { type ChainLab, ETH, HOT_KEY, HOT_WALLET, PAYEE } from '../support/payout-chain-types.ts';
import { sized } from '../support/scale.ts';

const CHILD = new URL('../support/signer-child.ts', import.meta.url).pathname;
/** Every so manieth step. */
const STRIDE = sized({ quick: 11, full: 3, soak: 1 });
const TIMEOUT_MS = sized({ quick: 180_000, full: 600_000, soak: 3_600_000 });

/** @returns the steps that it made, or undefined when it was killed */
function runChild(lab: ChainLab, path: string, killAt: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...CHILD_FLAGS, CHILD, path, String(killAt)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...childCache(),
        SIGNER_KEY: HOT_KEY,
        SIGNER_CLIENT_SECRET: lab.clientSecret,
      },
    });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined);
      else if (code === 0) resolve(Number(output));
      else reject(new Error(`the child ended with ${code}: ${errors}`));
    });
  });
}

describe.each(RUN_ENGINES)('a signer that is killed, on %s', (engine) => {
  const lab = useChainLab(engine);

  test('pays two payouts once each, wherever it is killed', { timeout: TIMEOUT_MS }, async () => {
    const path = writeSignerConfig(lab);
    let kills = 0;
    let paid = 0n;
    const before = await lab.onChain(PAYEE);
    for (let killAt = 1; ; killAt += STRIDE) {
      const ids = [await lab.approved('1'), await lab.approved('2')];
      const steps = await runChild(lab, path, killAt);
      if (steps === undefined) kills++;
      expect(await runChild(lab, path, 0)).toBeGreaterThan(0);
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
