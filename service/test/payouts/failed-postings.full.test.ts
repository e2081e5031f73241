/** A payout whose posting fails holds up no other payout of its network. */
import { describe, expect, test } from 'vitest';
import { transaction } from '../../src/db/index.ts';
import { findTransferNamed, reverseTransfers } from '../../src/ledger/index.ts';
import type { Hex } from '../support/chains/anvil.ts';
import { RUN_ENGINES } from '../support/databases.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';

describe.each(RUN_ENGINES)('payouts whose postings fail, on %s', (engine) => {
  const lab = useChainLab(engine);

  test('the others of the network are followed, and the job names those', async () => {
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    const raw = signer.deps.state.listSigned(id)[0]?.raw as Hex;
    await lab.anvil.mine(3);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    await transaction(lab.database, async (tx) => {
      const transferId = (await findTransferNamed(tx, `payout/${id}/network-fee/1`)) ?? 0;
      const [result] = await reverseTransfers(tx, [{ idempotencyKey: 'by-hand', transferId }]);
      expect(result?.status).toBe('posted');
    });
    await lab.anvil.rollback(3);
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine(4);
    const next = await lab.approved('1', 'USDT');
    await signer.cycle();
    await lab.anvil.mine(4);
    signer.close();
    await expect(lab.follow()).rejects.toThrow(`payout ${id} was not posted`);
    expect(await lab.read(next)).toMatchObject({ status: 'confirmed' });
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
  });

  test('an error of the database ends the run, and the next one posts', async () => {
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    signer.close();
    await lab.anvil.mine(3);
    const setEpoch = (epoch: number) =>
      lab.database.query('update payout set epoch = $2 where id = $1', [id, epoch]);
    await setEpoch(2 ** 31 - 1);
    await expect(lab.follow()).rejects.toThrow(/^value "2147483648" is out of range/);
    await setEpoch(0);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
  });
});
