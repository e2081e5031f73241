/**
 * SIGKILL of the service at statements and calls of a chain, on the paths of a payout that are not
 * in `service-crashes-pay.full.test.ts`: nothing is paid twice, nothing is lost.
 */
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { NETWORK } from '../support/chains/deposit-bench.ts';
import { KILLS_TIMEOUT_MS, useKilledService } from '../support/killed-payout-service.ts';
import {
  CONFIRMATIONS,
  HOT_KEY,
  HOT_WALLET,
  PAYEE,
  WINDOW,
} from '../support/payout-chain-types.ts';
import { setTokens, tokensOf } from '../support/payout-tokens.ts';

const NET = 2_990_000n;
const timeout = KILLS_TIMEOUT_MS;

describe('a service that is killed', () => {
  const { lab, runToEnd, killEverywhere } = useKilledService();
  const balance = () => lab.balance(lab.user, 'USDT');

  test('pays once, over a reorganisation', { timeout }, async () => {
    let paid = await tokensOf(lab, PAYEE);
    const kills = await killEverywhere({
      name: 'reorganise',
      async prepare(path) {
        await runToEnd(path);
        await lab.anvil.rollback(3 * CONFIRMATIONS);
        await lab.anvil.mine(3 * CONFIRMATIONS + 1);
        return undefined;
      },
      async check(id) {
        expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
        paid += NET;
        expect(await tokensOf(lab, PAYEE)).toBe(paid);
        expect(await lab.verify()).toEqual([]);
      },
    });
    expect(kills).toBeGreaterThan(1);
  });

  test('refunds once, when the chain reverts it', { timeout }, async () => {
    const before = await balance();
    const held = await tokensOf(lab, HOT_WALLET);
    const kills = await killEverywhere({
      name: 'revert',
      async prepare() {
        const id = await lab.approved('3', 'USDT');
        const signer = lab.open();
        await signer.cycle();
        signer.close();
        await setTokens(lab, 0n);
        await lab.anvil.mine(WINDOW + 1);
        await setTokens(lab, held);
        await lab.anvil.mine();
        return id;
      },
      async check(id) {
        expect(await lab.read(id)).toMatchObject({ status: 'failed', refunds: 1 });
        expect(await balance()).toEqual(before);
        expect(await lab.verify()).toEqual([]);
      },
    });
    expect(kills).toBeGreaterThan(0);
  });

  test.each([
    ['rejected', 'reject'],
    ['rejected', 'release'],
  ] as const)('gives back once what is %s, by %s', { timeout }, async (status, action) => {
    const before = await balance();
    const kills = await killEverywhere({
      name: action,
      async check(id) {
        expect(await lab.read(id)).toMatchObject({ status });
        expect(await balance()).toEqual(before);
        expect(await lab.verify()).toEqual([]);
      },
      action,
    });
    expect(kills).toBeGreaterThan(0);
  });

  test('pays once what was stopped and resumed', { timeout }, async () => {
    let paid = await tokensOf(lab, PAYEE);
    const kills = await killEverywhere({
      name: 'resume',
      async check(id) {
        expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
        paid += NET;
        expect(await tokensOf(lab, PAYEE)).toBe(paid);
        expect(await lab.verify()).toEqual([]);
      },
      action: 'resume',
    });
    expect(kills).toBeGreaterThan(0);
  });

  /** A payout whose reported transaction pays nothing. */
  async function prepareMismatch(): Promise<number> {
    const id = await lab.approved('3', 'USDT');
    const signer = 'erring-signer';
    await lab.sign('/operator/payouts/take', { signer, network: NETWORK, limit: 1 });
    const count = await lab.anvil.call('eth_getTransactionCount', [HOT_WALLET, 'pending']);
    const nonce = Number(count);
    const raw = await privateKeyToAccount(HOT_KEY).signTransaction({
      ...{ type: 'eip1559', chainId: 31337, nonce, gas: 21_000n, to: PAYEE, value: 0n },
      ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n },
    });
    const sent = { payout_id: id, outcome: 'sent', sender: HOT_WALLET, nonce };
    const reports = [{ ...sent, tx_hash: keccak256(raw) }];
    await lab.sign('/operator/payouts/reports', { signer, reports });
    await lab.anvil.sendRaw(raw);
    return id;
  }

  test('refunds once what an operator decided about', { timeout }, async () => {
    const before = await balance();
    const kills = await killEverywhere({
      name: 'mismatch',
      prepare: prepareMismatch,
      async check(id) {
        expect(await lab.read(id)).toMatchObject({
          ...{ status: 'failed', reason_code: 'mismatch_refunded', refunds: 1 },
        });
        expect(await balance()).toEqual(before);
        expect(await lab.verify()).toEqual([]);
      },
      action: 'mismatch',
    });
    expect(kills).toBeGreaterThan(0);
  });
});
