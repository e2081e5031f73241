/** Payouts on a real chain, with the signer as a process. */
import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readHouseBalances } from '../../src/ledger/index.ts';
import { CHILD_FLAGS, childCache } from '../support/child-node.ts';
import { RUN_ENGINES } from '../support/databases.ts';
import { writeSignerConfig } from '../support/payout-chain-actions.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { type ChainLab, ETH, HOT_KEY, PAYEE } from '../support/payout-chain-types.ts';

const MAIN = new URL('../../../signer/src/main.ts', import.meta.url).pathname;

/** Runs the program until it ends, a payout is refused, or it is enough; returns its log. */
async function runUntil(
  lab: ChainLab,
  args: readonly string[],
  isEnough: () => Promise<boolean>,
): Promise<string> {
  const child = spawn(process.execPath, [...CHILD_FLAGS, MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...childCache(),
      SIGNER_KEY: HOT_KEY,
      SIGNER_CLIENT_SECRET: lab.clientSecret,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const isOver = (): boolean => child.exitCode !== null || output.includes('payout_refused');
  while (!isOver() && !(await isEnough()));
  child.kill('SIGTERM');
  await exited;
  return output;
}

describe.each(RUN_ENGINES)('paying payouts on %s', (engine) => {
  const lab = useChainLab(engine);

  test('an approved payout arrives, and the books agree with the chain', async () => {
    const coin = await lab.approved('2');
    const token = await lab.approved('6', 'USDT');
    const before = await lab.onChain(PAYEE);
    const output = await runUntil(lab, [writeSignerConfig(lab)], async () => {
      const rows = await Promise.all([lab.read(coin), lab.read(token)]);
      return rows.every(({ status }) => status === 'sent');
    });
    expect(output).not.toMatch(/cycle_failed|payout_refused/);
    expect(output).not.toContain(HOT_KEY.slice(2));
    await lab.anvil.mine();
    await lab.follow();
    expect(await lab.read(coin)).toMatchObject({ status: 'sent', reason_code: 'in_block' });
    await lab.anvil.mine(2);
    await lab.follow();
    for (const id of [coin, token])
      expect(await lab.read(id)).toMatchObject({ status: 'confirmed', confirmations: 3 });
    expect((await lab.onChain(PAYEE)) - before).toBe((199n * ETH) / 100n);
    expect(await lab.balance(lab.user)).toEqual({ balance: 998n * ETH, hold: 0n });
    expect(await lab.balance(lab.user, 'USDT')).toEqual({ balance: 994_000_000n, hold: 0n });
    const house = await readHouseBalances(lab.database);
    const clearing = house.filter(({ account }) => account === 'withdrawal_clearing');
    expect(clearing.find(({ currency }) => currency === 'USDT')?.balance).toBe(5_990_000n);
  });

  test('an operator has the passkey of a user forgotten', async () => {
    const signer = lab.open();
    const key = { credential_id: 'known', public_key: 'key' };
    signer.deps.state.owners.keep(1, { user_id: lab.user, request_id: 'first', ...key });
    signer.close();
    const args = ['forget-passkey', writeSignerConfig(lab), String(lab.user)];
    const forget = () => runUntil(lab, args, () => setTimeout(20, false));
    expect(await forget()).toContain(`"user_id":${lab.user},"was_known":true`);
    expect(await forget()).toContain('"was_known":false');
    const after = lab.open();
    expect(after.deps.state.owners.findKey(lab.user)).toBeUndefined();
    // What the user has signed before is not signed anew.
    expect(after.deps.state.owners.isUsed(lab.user, 'first')).toBe(true);
    after.close();
  });
});
