/**
 * Two UTXO signers with one key by mistake, which both give the same coin away before either
 * reports it: the coin pays one payout, and what loses it is given back.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { litecoinMissing } from '../support/chains/litecoin.ts';
import { CONFIRMATIONS, WINDOW } from '../support/payout-chain-types.ts';
import { COIN, useUtxoLab } from '../support/payout-utxo-lab.ts';
import { createBarrier } from '../support/report-barrier.ts';

if (litecoinMissing !== undefined) console.warn(`The UTXO tests are skipped: ${litecoinMissing}.`);

describe.skipIf(litecoinMissing !== undefined)('two signers and one coin', () => {
  const lab = useUtxoLab();

  test.each([
    ['of different amounts', [1n, 2n]],
    ['of one amount', [1n, 1n]],
  ] as const)('two payouts %s', async (_name, amounts) => {
    await lab.fund(5);
    const ids = await Promise.all(amounts.map((amount) => lab.approved(String(amount))));
    const newSend = createBarrier(2);
    const signers = ['a.sqlite', 'b.sqlite'].map((name) =>
      lab.open({
        send: newSend(),
        config: lab.config({ batch: 1, state_file: join(lab.folder, `${lab.hotWallet}-${name}`) }),
      }),
    );
    await Promise.all(signers.map((signer) => signer.cycle()));
    const given = signers.map(({ deps: { state } }) =>
      ids.flatMap((id) => state.listCoins(id)).map(({ txid }) => txid),
    );
    expect(given[0]).toHaveLength(1);
    expect(given[1]).toEqual(given[0]);
    for (let round = 0; round < 2; round++) {
      await lab.node.mine(WINDOW + CONFIRMATIONS);
      await Promise.all(signers.map((signer) => signer.cycle()));
      await lab.follow();
    }
    for (const signer of signers) signer.close();
    const rows = await Promise.all(ids.map((id) => lab.read(id)));
    expect(rows.map(({ status }) => status).sort()).toEqual(['confirmed', 'failed']);
    expect(rows.find(({ status }) => status === 'failed')).toMatchObject({
      ...{ reason_code: 'nonce_used', refunds: 1 },
    });
    const paid = amounts[rows.findIndex(({ status }) => status === 'confirmed')] ?? 0n;
    expect(await lab.onChain(lab.payee)).toBe(paid * COIN - COIN / 100n);
    expect(await lab.balance(lab.user)).toEqual({ balance: (100n - paid) * COIN, hold: 0n });
    expect(await lab.verify()).toEqual([]);
  });
});
