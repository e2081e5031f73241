/** A failure is refunded once it is final; if the chain pays after that, the refund is reversed. */
import { privateKeyToAccount } from 'viem/accounts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Hex } from '../support/chains/anvil.ts';
import { RUN_ENGINES } from '../support/databases.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { addAddress, addUser } from '../support/payout-chain-setup.ts';
import {
  CONFIRMATIONS,
  ETH,
  HOT_KEY,
  HOT_WALLET,
  PAYEE,
  WINDOW,
} from '../support/payout-chain-types.ts';
import { fundHotWallet, postOne, setTokens, tokensOf, USDT } from '../support/payout-tokens.ts';

const MINUTE_MS = 60_000;

describe.each(RUN_ENGINES)('refunds of failed payouts, on %s', (engine) => {
  const lab = useChainLab(engine);

  beforeEach(() => fundHotWallet(lab));

  async function decisionsOf(id: number): Promise<string[]> {
    const { decisions } = (await lab.read(id)) as { decisions: { decision: string }[] };
    return decisions.map(({ decision }) => decision);
  }

  /** A payout of tokens whose transaction is signed and reverts in the next block. */
  async function reverting(): Promise<{ id: number; raw: Hex }> {
    const id = await lab.approved('6', 'USDT');
    const signer = lab.open();
    await signer.cycle();
    const raw = signer.deps.state.listSigned(id)[0]?.raw as Hex;
    signer.close();
    await setTokens(lab, 0n);
    await lab.anvil.mine();
    return { id, raw };
  }

  /**
   * Replaces the given number of blocks by one that contains the transaction, now with enough
   * tokens.
   */
  async function replace(depth: number, raw: Hex): Promise<void> {
    await lab.anvil.rollback(depth);
    await setTokens(lab, 1000n * USDT);
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine();
  }

  test('a reverted transaction that succeeds after a reorganisation causes no refund', async () => {
    const { id, raw } = await reverting();
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'sent', reason_code: 'reverted_in_block', refunds: 0 },
    });
    expect(await lab.balance(lab.user, 'USDT')).toMatchObject({ hold: 6n * USDT });
    await replace(CONFIRMATIONS + 1, raw);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'confirmed', reason_code: 'deep_enough', refunds: 0 },
    });
    expect(await lab.verify()).toEqual([]);
  });

  test.each([
    ['its user', async () => undefined],
    [
      'its user, who has added it again',
      async () => {
        const remove = 'update payout_address set removed_at = now() where user_id = $1';
        await lab.database.query(remove, [lab.user]);
        await addAddress(lab, lab.user, PAYEE);
      },
    ],
    ['another user', () => addUser(lab, { funds: [['USDT', 1000n * USDT]], address: PAYEE })],
  ])('the next payout to the address by %s is reviewed', async (_who, change) => {
    const { id } = await reverting();
    await lab.anvil.mine(WINDOW + 1);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'failed', reason_code: 'reverted' });
    await change();
    const next = await lab.request('6', 'USDT');
    await lab.review();
    const { status, review_reasons } = await lab.read(next);
    expect(status).toBe('in_review');
    expect(review_reasons).toContain('address_failed');
  });

  test('a refund is reversed when a deeper reorganisation pays the payout', async () => {
    const before = await tokensOf(lab, PAYEE);
    const { id, raw } = await reverting();
    await lab.anvil.mine(WINDOW + 1);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'failed', reason_code: 'reverted', refunds: 1 },
    });
    expect(await lab.balance(lab.user, 'USDT')).toEqual({ balance: 1000n * USDT, hold: 0n });
    // The user spends all of it.
    await postOne(lab, {
      ...{ currency: 'USDT', amount: 1000n * USDT, credit: { house: 'fees' } },
      debit: { userId: lab.user, wallet: 'asset' },
    });
    await replace(WINDOW + 2, raw);
    expect(await lab.verify()).toContainEqual(
      expect.stringMatching(new RegExp(`^payout ${id} was refunded, and 0x\\w+ pays it`)),
    );
    await lab.follow(MINUTE_MS);
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'sent', reason_code: 'paid_after_refund' },
    });
    expect(await lab.balance(lab.user, 'USDT')).toEqual({ balance: -6n * USDT, hold: 0n });
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.follow();
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'confirmed', reason_code: 'paid_after_refund', refunds: 1 },
    });
    expect(await decisionsOf(id)).toContain('paid_after_refund');
    expect(await lab.balance(lab.user, 'USDT')).toEqual({ balance: -6n * USDT, hold: 0n });
    expect((await tokensOf(lab, PAYEE)) - before).toBe(5_990_000n);
    expect(await lab.verify()).toEqual([]);
  });

  test('a payout fails, is paid, and fails again: each time its money moves once', async () => {
    const { id, raw } = await reverting();
    await lab.anvil.mine(WINDOW + 1);
    await lab.follow();
    await replace(WINDOW + 2, raw);
    await lab.follow(MINUTE_MS);
    expect(await lab.balance(lab.user, 'USDT')).toEqual({ balance: 994n * USDT, hold: 0n });
    await lab.anvil.rollback(1);
    await setTokens(lab, 0n);
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine(WINDOW + 2);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'failed', refunds: 2 });
    expect(await lab.balance(lab.user, 'USDT')).toEqual({ balance: 1000n * USDT, hold: 0n });
    await setTokens(lab, 1000n * USDT);
    await lab.anvil.mine();
    expect(await lab.verify()).toEqual([]);
  });

  /** A transaction of another program with the same key and the first nonce. */
  const signOther = (): Promise<Hex> =>
    privateKeyToAccount(HOT_KEY).signTransaction({
      ...{ type: 'eip1559', chainId: 31337, nonce: 0, gas: 21_000n, value: 0n },
      ...{ to: HOT_WALLET, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n },
    });

  test('a nonce used from outside becomes free again by a deeper reorganisation', async () => {
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    const raw = signer.deps.state.listSigned(id)[0]?.raw as Hex;
    await lab.anvil.call('anvil_dropAllTransactions');
    await lab.anvil.sendRaw(await signOther());
    await lab.anvil.mine(CONFIRMATIONS + 1);
    // Without a report of the signer.
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ reason_code: 'nonce_used_in_block' });
    await lab.anvil.mine(WINDOW);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'failed', reason_code: 'nonce_used' });
    expect(await lab.balance(lab.user)).toEqual({ balance: 1000n * ETH, hold: 0n });
    await signer.cycle();
    await lab.anvil.rollback(WINDOW + CONFIRMATIONS + 1);
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine();
    await lab.follow(MINUTE_MS);
    expect(await lab.balance(lab.user)).toEqual({ balance: 998n * ETH, hold: 0n });
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'confirmed', reason_code: 'paid_after_refund' },
    });
    expect(await lab.verify()).toEqual([]);
    signer.close();
  });

  test('a report of the signer alone causes no refund', async () => {
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    await signer.deps.service.report([{ payout_id: id, outcome: 'nonce_used' }]);
    const raw = signer.deps.state.listSigned(id)[0]?.raw as Hex;
    await lab.anvil.call('anvil_dropAllTransactions');
    await lab.anvil.mine(2 * WINDOW);
    for (let times = 0; times < 2; times++) {
      await lab.follow();
      expect(await lab.read(id)).toMatchObject({ status: 'sent', refunds: 0 });
    }
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    signer.close();
  });

  test('another nonce for the same payout is refused', async () => {
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    const report = { payout_id: id, outcome: 'sent', tx_hash: `0x${'ab'.repeat(32)}` } as const;
    const other = { ...report, sender: HOT_WALLET, nonce: 1 };
    await expect(signer.deps.service.report([other])).rejects.toThrow(/payout_nonce_changed/);
    signer.close();
  });

  test('after a reorganisation deeper than the signer treats as final it sends again', async () => {
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    await lab.anvil.mine(CONFIRMATIONS + 1);
    await lab.follow();
    await signer.cycle();
    expect(signer.deps.state.listOpen()).toEqual([]);
    await lab.anvil.rollback(CONFIRMATIONS + 1);
    await signer.cycle();
    expect(signer.deps.state.listOpen()).toHaveLength(1);
    signer.close();
    const restarted = lab.open();
    await restarted.start();
    restarted.close();
    await lab.anvil.mine(CONFIRMATIONS + 2);
    await lab.follow();
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await lab.verify()).toEqual([]);
  });
});
