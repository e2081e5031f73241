/**
 * A signer that lost its state: payouts that it had taken are returned, and are paid once at most.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { voidNonce } from '../../../signer/src/void-nonce.ts';
import { RUN_ENGINES } from '../support/databases.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { CONFIRMATIONS, ETH, HOT_KEY, PAYEE, WINDOW } from '../support/payout-chain-types.ts';

const NET = (99n * ETH) / 100n;

describe.each(RUN_ENGINES)('a lost state of the signer, on %s', (engine) => {
  const lab = useChainLab(engine);

  const openOther = (changes: object = {}) =>
    lab.open({
      config: lab.config({ state_file: join(lab.folder, 'other.sqlite'), ...changes }),
    });
  const release = (id: number) =>
    lab.operate(`/operator/payouts/${id}/release`, { remark: 'the disk of the signer broke' });
  const now = () => new Date().toISOString();

  async function mineAndFollow(blocks = CONFIRMATIONS): Promise<void> {
    await lab.anvil.mine(blocks);
    await lab.follow();
  }

  test('a payout taken and not signed is approved again, and paid by a new state', async () => {
    const before = await lab.onChain(PAYEE);
    const first = await lab.approved('1');
    const lost = lab.open();
    await lost.cycle();
    const id = await lab.approved('1');
    await lost.deps.service.take(10, undefined);
    lost.close();
    expect(await lab.read(id)).toMatchObject({ status: 'signed' });
    const unaware = openOther();
    await expect(unaware.start()).rejects.toThrow(/restore the state, or set documents_since/);
    unaware.close();
    const hash = (await lab.read(id)).document_hash;
    const released = await release(id);
    expect(released).toMatchObject({
      ...{ status: 'in_review', reason_code: 'released_to_queue', approvals_needed: 2 },
    });
    expect(released.review_reasons).toContain('released_to_queue');
    expect(released.document_hash).not.toBe(hash);
    expect((await release(id)).document_hash).toBe(released.document_hash);
    const documents_since = now();
    const other = openOther({ documents_since });
    await other.start();
    await other.cycle();
    // The approval of the previous document is no longer valid.
    expect(await lab.read(id)).toMatchObject({ status: 'in_review' });
    await lab.approve(id);
    await other.cycle();
    expect(await lab.read(id)).toMatchObject({ status: 'in_review' });
    // It was issued before the new state, so it is returned once more.
    await lab.approve(id);
    await other.cycle();
    other.close();
    await mineAndFollow();
    for (const payout of [first, id])
      expect(await lab.read(payout)).toMatchObject({ status: 'confirmed' });
    expect((await lab.onChain(PAYEE)) - before).toBe(2n * NET);
    const { decisions } = (await lab.read(id)) as { decisions: { decision: string }[] };
    expect(decisions.map(({ decision }) => decision)).toEqual([
      ...['approved', 'released_to_queue', 'approved', 'approved', 'refused_by_signer'],
      ...['approved', 'approved'],
    ]);
  });

  test('a signer that was believed lost gives up payouts that were taken back', async () => {
    const before = await lab.onChain(PAYEE);
    const id = await lab.approved('1');
    let isCut = true;
    const send = (async (url: string, init?: RequestInit) => {
      if (isCut && url.endsWith('/reports')) throw new Error('cut off');
      return fetch(url, init);
    }) as typeof fetch;
    const alive = lab.open({ send });
    await expect(alive.cycle()).rejects.toThrow(/cut off/);
    // Signed, and neither reported nor sent.
    expect(alive.deps.state.listSigned(id)).toHaveLength(1);
    await release(id);
    await lab.approve(id);
    const other = openOther();
    await other.start();
    await other.cycle();
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
    isCut = false;
    await alive.cycle();
    await alive.cycle();
    await mineAndFollow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect((await lab.onChain(PAYEE)) - before).toBe(NET);
    // Its nonces continue: the one that it had given up pays nothing.
    const next = await lab.approved('1');
    await alive.cycle();
    await mineAndFollow();
    expect(await lab.read(next)).toMatchObject({ status: 'confirmed' });
    alive.close();
    other.close();
  });

  test('a signer does not pay again what it gave up', async () => {
    const id = await lab.approved('1');
    const send = (async (url: string, init?: RequestInit) => {
      if (url.endsWith('/reports')) throw new Error('cut off');
      return fetch(url, init);
    }) as typeof fetch;
    const cut = lab.open({ send });
    await expect(cut.cycle()).rejects.toThrow(/cut off/);
    cut.close();
    await release(id);
    await lab.approve(id);
    const again = lab.open();
    await again.start();
    await again.cycle();
    expect(await lab.read(id)).toMatchObject({ status: 'in_review' });
    again.close();
    const before = await lab.onChain(PAYEE);
    await mineAndFollow();
    expect(await lab.onChain(PAYEE)).toBe(before);
  });

  test('a sent payout is not taken back: once its nonce is used, it fails', async () => {
    const id = await lab.approved('1');
    const lost = lab.open();
    await lost.cycle();
    const nonce = lost.deps.state.listOpen()[0]?.nonce ?? -1;
    const config = lab.config({ state_file: join(lab.folder, 'void.sqlite') });
    await expect(voidNonce({ config: lost.deps.config, key: HOT_KEY, nonce })).rejects.toThrow(
      /locked/,
    );
    lost.close();
    await lab.anvil.call('anvil_dropAllTransactions');
    await expect(release(id)).rejects.toThrow(/payout_not_open/);
    await expect(voidNonce({ config: lab.config(), key: HOT_KEY, nonce })).rejects.toThrow(
      /has given the nonce/,
    );
    expect(await voidNonce({ config, key: HOT_KEY, nonce })).toMatch(/^0x[0-9a-f]{64}$/);
    await mineAndFollow();
    await expect(voidNonce({ config, key: HOT_KEY, nonce })).rejects.toThrow(/is used/);
    expect(await lab.read(id)).toMatchObject({ reason_code: 'nonce_used_in_block' });
    await mineAndFollow(WINDOW);
    expect(await lab.read(id)).toMatchObject({ status: 'failed', reason_code: 'nonce_used' });
    expect(await lab.balance(lab.user)).toEqual({ balance: 1000n * ETH, hold: 0n });
  });

  test('an older copy of the state does not start until documents_since is set anew', async () => {
    await lab.approved('1');
    const first = lab.open();
    await first.cycle();
    first.close();
    const [path, copy] = [lab.config().state_file, join(lab.folder, 'copy.sqlite')];
    copyFileSync(path, copy);
    const paid = await lab.approved('1');
    const second = lab.open();
    await second.start();
    await second.cycle();
    second.close();
    await mineAndFollow();
    const openCopy = (changes: object = {}) =>
      lab.open({ config: lab.config({ state_file: copy, ...changes }) });
    for (const changes of [{}, { documents_since: '2026-01-01T00:00:00Z' }]) {
      const older = openCopy(changes);
      await expect(older.start()).rejects.toThrow(/has sent 2 transactions.* knows 1: restore/);
      older.close();
    }
    const stated = openCopy({ documents_since: now() });
    await stated.start();
    await stated.cycle();
    stated.close();
    await mineAndFollow();
    expect(await lab.read(paid)).toMatchObject({ status: 'confirmed' });
    expect(await lab.balance(lab.user)).toEqual({ balance: 998n * ETH, hold: 0n });
    // The newest state starts as before.
    const newest = lab.open();
    await newest.start();
    newest.close();
  });

  test('a nonce that use-nonce has used is not taken for one of a newer state', async () => {
    const config = lab.config();
    expect(await voidNonce({ config, key: HOT_KEY, nonce: 0 })).toMatch(/^0x/);
    const id = await lab.approved('1');
    const signer = lab.open();
    await signer.start();
    await signer.cycle();
    expect(signer.deps.state.listOpen()).toMatchObject([{ id, nonce: 1 }]);
    signer.close();
  });
});
