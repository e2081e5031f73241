/**
 * SIGKILL of the service at each statement and each call of a chain, on every path of a payout:
 * nothing is paid twice, nothing is lost.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { NETWORK } from '../support/chains/deposit-bench.ts';
import { CHILD_FLAGS, childCache } from '../support/child-node.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import {
  CONFIRMATIONS,
  HOT_KEY,
  HOT_WALLET,
  PAYEE,
  WINDOW,
} from '../support/payout-chain-types.ts';
import type { ChildAction, ChildOrder } from '../support/payout-child.ts';
import { fundHotWallet, postOne, setTokens, tokensOf, USDT } from '../support/payout-tokens.ts';
import { sized } from '../support/scale.ts';

const CHILD = new URL('../support/payout-child.ts', import.meta.url).pathname;
/** Every nth step. Coprime to the length of a round, so that all kinds are met. */
const STRIDE = sized({ quick: 149, full: 13, soak: 1 });
/** Decisions are short. */
const DECISION_STRIDE = sized({ quick: 67, full: 7, soak: 1 });
const TIMEOUT_MS = sized({ quick: 240_000, full: 1_200_000, soak: 7_200_000 });
const NET = 2_990_000n;

/** @returns what the child printed, or undefined when it was killed */
function runChild(path: string, killAt: number): Promise<{ id: number } | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...CHILD_FLAGS, CHILD, path, String(killAt)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...childCache() },
    });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined);
      else if (code === 0) resolve(JSON.parse(output) as { id: number });
      else reject(new Error(`the child ended with ${code}: ${errors}`));
    });
  });
}

// The child kills itself at statements of the PostgreSQL client.
describe('a service that is killed', () => {
  const lab = useChainLab('server');
  let address = 0;
  let url = '';

  beforeEach(async () => {
    // Enough for a payout at each step of a round.
    await fundHotWallet(lab, 100_000n * USDT);
    await postOne(lab, {
      ...{ currency: 'USDT', amount: 99_000n * USDT },
      ...{ debit: { house: 'deposit_clearing' }, credit: { userId: lab.user, wallet: 'asset' } },
    });
    const { rows } = await lab.database.query<{ name: string; id: number }>(
      'select current_database() as name, id from payout_address',
    );
    const place = new URL(inject('postgresUrl'));
    place.pathname = `/${rows[0]?.name}`;
    [url, address] = [place.href, rows[0]?.id ?? 0];
  });

  function writeOrder(key: string, more: Pick<ChildOrder, 'action' | 'payoutId'> = {}): string {
    const order: ChildOrder = {
      ...{ url, key, config: lab.config(), userId: lab.user, addressId: address },
      ...{ blocks: CONFIRMATIONS, operator: lab.operators[0].userId },
      ...more,
    };
    const path = join(lab.folder, 'order.json');
    writeFileSync(path, JSON.stringify(order));
    return path;
  }

  /** Runs to the end after a kill at each step; returns how often it was killed. */
  async function killEverywhere(
    name: string,
    prepare: (path: string) => Promise<number | undefined>,
    check: (id: number) => Promise<void>,
    action?: ChildAction,
  ): Promise<number> {
    const act = action && { action };
    for (let killAt = 1, kills = 0; ; killAt += action ? DECISION_STRIDE : STRIDE) {
      const key = `${name}-${killAt}`;
      const payoutId = await prepare(writeOrder(key, act));
      const path = writeOrder(key, { ...act, ...(payoutId !== undefined && { payoutId }) });
      const killed = (await runChild(path, killAt)) === undefined;
      const done = await runChild(path, 0);
      await check(done?.id ?? 0);
      if (!killed) return kills;
      kills++;
    }
  }

  const balance = () => lab.balance(lab.user, 'USDT');

  test('pays once, from the request to the confirmation', { timeout: TIMEOUT_MS }, async () => {
    let paid = await tokensOf(lab, PAYEE);
    let { balance: left } = await balance();
    const kills = await killEverywhere(
      'pay',
      async () => undefined,
      async (id) => {
        expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
        paid += NET;
        left -= 3_000_000n;
        expect(await tokensOf(lab, PAYEE)).toBe(paid);
        expect(await balance()).toEqual({ balance: left, hold: 0n });
        expect(await lab.verify()).toEqual([]);
      },
    );
    expect(kills).toBeGreaterThan(1);
  });

  test('pays once, over a reorganisation', { timeout: TIMEOUT_MS }, async () => {
    let paid = await tokensOf(lab, PAYEE);
    const kills = await killEverywhere(
      'reorganise',
      async (path) => {
        await runChild(path, 0);
        await lab.anvil.rollback(3 * CONFIRMATIONS);
        await lab.anvil.mine(3 * CONFIRMATIONS + 1);
        return undefined;
      },
      async (id) => {
        expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
        paid += NET;
        expect(await tokensOf(lab, PAYEE)).toBe(paid);
        expect(await lab.verify()).toEqual([]);
      },
    );
    expect(kills).toBeGreaterThan(1);
  });

  test('refunds once, when the chain reverts it', { timeout: TIMEOUT_MS }, async () => {
    const before = await balance();
    const held = await tokensOf(lab, HOT_WALLET);
    const kills = await killEverywhere(
      'revert',
      async () => {
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
      async (id) => {
        expect(await lab.read(id)).toMatchObject({ status: 'failed', refunds: 1 });
        expect(await balance()).toEqual(before);
        expect(await lab.verify()).toEqual([]);
      },
    );
    expect(kills).toBeGreaterThan(0);
  });

  test.each([
    ['cancelled', 'cancel'],
    ['rejected', 'reject'],
    ['rejected', 'release'],
  ] as const)(
    'gives back once what is %s, by %s',
    { timeout: TIMEOUT_MS },
    async (status, action) => {
      const before = await balance();
      const kills = await killEverywhere(
        action,
        async () => undefined,
        async (id) => {
          expect(await lab.read(id)).toMatchObject({ status });
          expect(await balance()).toEqual(before);
          expect(await lab.verify()).toEqual([]);
        },
        action,
      );
      expect(kills).toBeGreaterThan(0);
    },
  );

  test('pays once what was stopped and resumed', { timeout: TIMEOUT_MS }, async () => {
    let paid = await tokensOf(lab, PAYEE);
    const kills = await killEverywhere(
      'resume',
      async () => undefined,
      async (id) => {
        expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
        paid += NET;
        expect(await tokensOf(lab, PAYEE)).toBe(paid);
        expect(await lab.verify()).toEqual([]);
      },
      'resume',
    );
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

  test('refunds once what an operator decided about', { timeout: TIMEOUT_MS }, async () => {
    const before = await balance();
    const kills = await killEverywhere(
      'mismatch',
      prepareMismatch,
      async (id) => {
        expect(await lab.read(id)).toMatchObject({
          ...{ status: 'failed', reason_code: 'mismatch_refunded', refunds: 1 },
        });
        expect(await balance()).toEqual(before);
        expect(await lab.verify()).toEqual([]);
      },
      'mismatch',
    );
    expect(kills).toBeGreaterThan(0);
  });
});
