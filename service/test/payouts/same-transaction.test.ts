/** Two signers with one key by mistake sign the same transaction for two payouts: it pays one. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../support/databases.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { CONFIRMATIONS, ETH, PAYEE, WINDOW } from '../support/payout-chain-types.ts';

describe.each(RUN_ENGINES)('one transaction for two payouts, on %s', (engine) => {
  const lab = useChainLab(engine);

  test('confirms the first, and the second is given back', async () => {
    const start = await lab.onChain(PAYEE);
    const one = await lab.approved('1');
    const send = (async (url: string, init?: RequestInit) => {
      if (String(init?.body).includes('eth_sendRawTransaction')) throw new Error('cut off');
      return fetch(url, init);
    }) as typeof fetch;
    const first = lab.open({ send, config: lab.config({ batch: 1 }) });
    await expect(first.cycle()).rejects.toThrow(/cut off/);
    // The chain does not know its nonce: the other signer takes the same one.
    const ids = [one, await lab.approved('1')] as const;
    const state_file = join(lab.folder, 'second.sqlite');
    const second = lab.open({ config: lab.config({ batch: 1, state_file }) });
    await second.cycle();
    const hashes = await Promise.all(ids.map(async (id) => (await lab.read(id)).tx_hash));
    expect(hashes[0]).toBe(hashes[1]);
    first.close();
    second.close();
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(ids[0])).toMatchObject({ status: 'confirmed' });
    expect(await lab.read(ids[1])).toMatchObject({
      ...{ status: 'sent', reason_code: 'nonce_used_in_block' },
    });
    await lab.anvil.mine(WINDOW);
    await lab.follow();
    expect(await lab.read(ids[1])).toMatchObject({ status: 'failed', reason_code: 'nonce_used' });
    expect((await lab.onChain(PAYEE)) - start).toBe((99n * ETH) / 100n);
    expect(await lab.balance(lab.user)).toEqual({ balance: 999n * ETH, hold: 0n });
  });
});
