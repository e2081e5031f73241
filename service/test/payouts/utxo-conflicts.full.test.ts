/** Payouts, signers and other programs that compete for one coin. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UtxoWallet } from '../../../signer/src/utxo/wallet.ts';
import type { PayoutDocument } from '../../../signer/src/verify-payout.ts';
import { litecoinMissing } from '../support/chains/litecoin.ts';
import { CONFIRMATIONS, WINDOW } from '../support/payout-chain-types.ts';
import { COIN, useUtxoLab } from '../support/payout-utxo-lab.ts';

/** The amount that arrives of 2 coins. */
const NET = (199n * COIN) / 100n;

if (litecoinMissing !== undefined) console.warn(`The UTXO tests are skipped: ${litecoinMissing}.`);

describe.skipIf(litecoinMissing !== undefined)('competition for a coin', () => {
  const lab = useUtxoLab();

  /** A transaction of another program with the same key: it spends the first coin of a payout. */
  async function spendOutside({ deps }: ReturnType<typeof lab.open>, id: number) {
    const address = await lab.node.call<string>('getnewaddress');
    const document = { payout_id: 0, address, amount: String(COIN) } as PayoutDocument;
    const coins = deps.state.listCoins(id).slice(0, 1);
    return new UtxoWallet(lab.key, lab.config()).sign(document, coins, 400);
  }

  test('two payouts and one coin: the second waits for the change of the first', async () => {
    await lab.fund(5);
    const ids = [await lab.approved('2'), await lab.approved('2')] as const;
    const signer = lab.open();
    await signer.cycle();
    expect(await lab.read(ids[0])).toMatchObject({ status: 'sent' });
    expect(await lab.read(ids[1])).toMatchObject({
      ...{ status: 'approved', reason_code: 'waits_for_hot_wallet' },
    });
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    await lab.database.query('update payout set check_at = now() where id = $1', [ids[1]]);
    await signer.cycle();
    signer.close();
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    for (const id of ids) expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await lab.onChain(lab.payee)).toBe(2n * NET);
    expect(await lab.verify()).toEqual([]);
  });

  test('two signers by mistake pay once', async () => {
    await lab.fund(5);
    const ids = [await lab.approved('2'), await lab.approved('2')] as const;
    const config = { batch: 1, poll_ms: 20 };
    const first = lab.open({ config: lab.config(config) });
    const state_file = join(lab.folder, 'second.sqlite');
    const second = lab.open({ config: lab.config({ ...config, state_file }) });
    await Promise.all([first.cycle(), second.cycle()]);
    expect(() => lab.open()).toThrow(/locked/);
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    for (let cycles = 0; cycles < 2; cycles++) {
      await Promise.all([first.cycle(), second.cycle()]);
      await lab.node.mine(CONFIRMATIONS);
    }
    first.close();
    second.close();
    await lab.follow();
    await lab.node.mine(WINDOW);
    await lab.follow();
    const rows = await Promise.all(ids.map((id) => lab.read(id)));
    const confirmed = rows.filter(({ status }) => status === 'confirmed').length;
    expect(confirmed).toBeGreaterThan(0);
    expect(await lab.onChain(lab.payee)).toBe(BigInt(confirmed) * NET);
    expect(rows.map(({ status }) => status)).not.toContain('sent');
    expect(await lab.verify()).toEqual([]);
  });

  test('an outside spend that a reorganisation removes: the payout continues', async () => {
    await lab.fund(5);
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    const [own] = signer.deps.state.listSigned(id);
    const outside = await spendOutside(signer, id);
    const to = await lab.node.call<string>('getnewaddress');
    await lab.node.call('generateblock', [to, [outside.raw]]);
    await signer.cycle();
    expect(signer.deps.state.find(id)?.conflict_hash).not.toBeNull();
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ reason_code: 'nonce_used_in_block' });
    await lab.rollBack(1);
    await lab.node.call('generateblock', [to, [own?.raw]]);
    await lab.node.mine(CONFIRMATIONS);
    await signer.cycle();
    signer.close();
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await lab.onChain(lab.payee)).toBe(NET);
  });

  test('a coin spent from outside: the payout fails once that is final', async () => {
    await lab.fund(3, 2);
    const id = await lab.approved('4');
    const signer = lab.open();
    await signer.cycle();
    const outside = await spendOutside(signer, id);
    await lab.node.call('sendrawtransaction', [outside.raw, 0]);
    await lab.node.mine(CONFIRMATIONS - 1);
    await lab.follow();
    // The chain may still pay the payout.
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'sent', reason_code: 'nonce_used_in_block' },
    });
    expect(await lab.balance(lab.user)).toEqual({ balance: 96n * COIN, hold: 4n * COIN });
    await lab.node.mine(WINDOW - 1);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
    await lab.node.mine();
    await lab.follow();
    // By the service alone: the signer may be lost.
    expect(await lab.read(id)).toMatchObject({ status: 'failed', reason_code: 'nonce_used' });
    expect(await lab.balance(lab.user)).toEqual({ balance: 100n * COIN, hold: 0n });
    // Its other coin, and the change of the outside transaction, are free.
    await signer.cycle();
    await lab.node.mine(CONFIRMATIONS);
    await signer.cycle();
    expect(signer.deps.state.listOpen()).toEqual([]);
    const next = await lab.approved('3.5');
    await signer.cycle();
    signer.close();
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(next)).toMatchObject({ status: 'confirmed' });
    // The books of the service do not contain the outside transaction.
    expect(await lab.verify()).toHaveLength(1);
  });
});
