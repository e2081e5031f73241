/**
 * A UTXO signer that lost its state: payouts that it had taken are returned, and are paid once at
 * most.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useCoin } from '../../../signer/src/utxo/use-coin.ts';
import { litecoinMissing } from '../support/chains/litecoin.ts';
import { CONFIRMATIONS, WINDOW } from '../support/payout-chain-types.ts';
import { COIN, useUtxoLab } from '../support/payout-utxo-lab.ts';

const NET = (199n * COIN) / 100n;

if (litecoinMissing !== undefined) console.warn(`The UTXO tests are skipped: ${litecoinMissing}.`);

describe.skipIf(litecoinMissing !== undefined)('a lost state of a UTXO signer', () => {
  const lab = useUtxoLab();

  const otherConfig = (changes: object = {}) =>
    lab.config({ state_file: join(lab.folder, `${lab.hotWallet}-other.sqlite`), ...changes });
  const release = (id: number) =>
    lab.operate(`/operator/payouts/${id}/release`, { remark: 'the disk of the signer broke' });

  async function mineAndFollow(blocks = CONFIRMATIONS): Promise<void> {
    await lab.node.mine(blocks);
    await lab.follow();
  }

  test('the configuration states from when on documents are paid', async () => {
    expect(() => lab.config({ documents_since: undefined })).toThrow(/documents_since/);
    await lab.fund(5);
    const id = await lab.approved('2');
    const documents_since = new Date(Date.now() + 1000).toISOString();
    const signer = lab.open({ config: otherConfig({ documents_since }) });
    await signer.start();
    await signer.cycle();
    signer.close();
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'in_review', reason_code: 'refused_by_signer' },
    });
  });

  test('a signer that was believed lost gives up payouts that were taken back', async () => {
    await lab.fund(5, 5);
    const id = await lab.approved('2');
    let isCut = true;
    const send = (async (url: string, init?: RequestInit) => {
      if (isCut && url.endsWith('/reports')) throw new Error('cut off');
      return fetch(url, init);
    }) as typeof fetch;
    const alive = lab.open({ send });
    await expect(alive.cycle()).rejects.toThrow(/cut off/);
    // Signed, and neither reported nor sent.
    const [coin] = alive.deps.state.listCoins(id);
    expect(alive.deps.state.listSigned(id)).toHaveLength(1);
    await release(id);
    await lab.approve(id);
    const other = lab.open({ config: otherConfig() });
    await other.start();
    await other.cycle();
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
    isCut = false;
    await alive.cycle();
    await alive.cycle();
    expect(alive.deps.state.find(id)).toMatchObject({ is_void: 1 });
    if (coin) expect(alive.deps.state.isTaken(coin)).toBe(false);
    await mineAndFollow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await lab.onChain(lab.payee)).toBe(NET);
    const next = await lab.approved('2');
    await alive.cycle();
    alive.close();
    other.close();
    await mineAndFollow();
    expect(await lab.read(next)).toMatchObject({ status: 'confirmed' });
    expect(await lab.onChain(lab.payee)).toBe(2n * NET);
    expect(await lab.verify()).toEqual([]);
  });

  test('an older copy of the state does not start until documents_since is set anew', async () => {
    await lab.fund(5, 5, 5);
    const first = lab.open();
    await lab.approved('2');
    await first.cycle();
    first.close();
    await mineAndFollow();
    const copy = join(lab.folder, `${lab.hotWallet}-copy.sqlite`);
    copyFileSync(lab.config().state_file, copy);
    const openCopy = (changes: object = {}) =>
      lab.open({ config: lab.config({ state_file: copy, ...changes }) });
    const expectNoStart = async (signer: ReturnType<typeof lab.open>, reason: RegExp) => {
      await expect(signer.start()).rejects.toThrow(reason);
      signer.close();
    };
    const paid = await lab.approved('2');
    const second = lab.open();
    await second.start();
    await second.cycle();
    second.close();
    await expectNoStart(openCopy(), /the pool spends .*: restore the state/);
    await mineAndFollow();
    await expectNoStart(openCopy(), /has sent .* does not know: restore the state/);
    const documents_since = new Date().toISOString();
    const stated = openCopy({ documents_since });
    await stated.start();
    const next = await lab.approved('2');
    await stated.cycle();
    stated.close();
    await mineAndFollow();
    for (const id of [paid, next])
      expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await lab.onChain(lab.payee)).toBe(3n * NET);
    // It has noted what was found; the other state does not know of the last one.
    const again = openCopy();
    await again.start();
    again.close();
    await expectNoStart(lab.open(), /does not know: restore the state/);
    expect(await lab.verify()).toEqual([]);
  });

  test('a sent payout is not taken back: once its coin is used, it fails', async () => {
    await lab.fund(5);
    const id = await lab.approved('2');
    const lost = lab.open();
    await lost.cycle();
    const [first] = lost.deps.state.listCoins(id);
    const coin = `${first?.txid}:${first?.vout}`;
    lost.close();
    expect(await lab.read(id)).toMatchObject({ coin });
    await expect(release(id)).rejects.toThrow(/payout_not_open/);
    const order = { key: lab.key, coin };
    await expect(useCoin({ ...order, config: lab.config() })).rejects.toThrow(/has given the coin/);
    const config = otherConfig();
    const hash = await useCoin({ ...order, config });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    // Its state knows the transaction, in the pool and in the chain.
    const start = async () => {
      const signer = lab.open({ config });
      await signer.start();
      signer.close();
    };
    await start();
    await mineAndFollow();
    await start();
    await expect(useCoin({ ...order, config })).rejects.toThrow(/is spent/);
    expect(await lab.read(id)).toMatchObject({ reason_code: 'nonce_used_in_block' });
    await mineAndFollow(WINDOW);
    expect(await lab.read(id)).toMatchObject({ status: 'failed', reason_code: 'nonce_used' });
    expect(await lab.balance(lab.user)).toEqual({ balance: 100n * COIN, hold: 0n });
    expect(await lab.onChain(lab.payee)).toBe(0n);
    // No payout has its fee.
    expect(await lab.verify()).toHaveLength(1);
    const fee = await lab.bookFee(hash);
    expect(fee).toMatchObject({ currency: 'LTC', isNew: true });
    expect(await lab.bookFee(hash)).toEqual({ ...fee, isNew: false });
    expect(await lab.verify()).toEqual([]);
  });
});
