/**
 * Two signers with one key by mistake, which both give the same nonce away before either reports
 * it: each nonce pays one payout, and what loses it is given back.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { ETH, HOT_WALLET, PAYEE, WINDOW } from '../support/payout-chain-types.ts';
import { createBarrier } from '../support/report-barrier.ts';

const lab = useChainLab('server');

test.each([
  ['of different amounts', [1n, 2n]],
  ['of one amount', [1n, 1n]],
] as const)('two payouts %s', async (_name, amounts) => {
  const ids = await Promise.all(amounts.map((amount) => lab.approved(String(amount))));
  const start = await lab.onChain(PAYEE);
  const newSend = createBarrier(2);
  const signers = ['a.sqlite', 'b.sqlite'].map((name) =>
    lab.open({
      send: newSend(),
      config: lab.config({ batch: 1, state_file: join(lab.folder, name) }),
    }),
  );
  await Promise.all(signers.map((signer) => signer.cycle()));
  for (let round = 0; round < 2; round++) {
    await lab.anvil.mine(WINDOW + 3);
    await Promise.all(signers.map((signer) => signer.cycle()));
    await lab.follow();
  }
  for (const signer of signers) signer.close();
  const count = await lab.anvil.call('eth_getTransactionCount', [HOT_WALLET, 'pending']);
  expect(Number(count)).toBe(1);
  const rows = await Promise.all(ids.map((id) => lab.read(id)));
  expect(rows.map(({ status }) => status).sort()).toEqual(['confirmed', 'failed']);
  expect(rows.find(({ status }) => status === 'failed')).toMatchObject({
    ...{ reason_code: 'nonce_used', refunds: 1 },
  });
  const paid = amounts[rows.findIndex(({ status }) => status === 'confirmed')] ?? 0n;
  expect((await lab.onChain(PAYEE)) - start).toBe(paid * ETH - ETH / 100n);
  expect(await lab.balance(lab.user)).toEqual({ balance: (1000n - paid) * ETH, hold: 0n });
});
