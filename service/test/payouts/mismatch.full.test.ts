/** A transaction that pays something else than its document: an operator decides about it. */
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { NETWORK } from '../support/chains/deposit-bench.ts';
import { RUN_ENGINES } from '../support/databases.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import {
  CONFIRMATIONS,
  ETH,
  HOT_KEY,
  HOT_WALLET,
  PAYEE,
  WINDOW,
} from '../support/payout-chain-types.ts';

const signer = 'signer-that-errs';

describe.each(RUN_ENGINES)('transactions that pay something else, on %s', (engine) => {
  const lab = useChainLab(engine);

  async function call(token: string, path: string, body: object): Promise<string> {
    const answer = await fetch(lab.service.baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return answer.text();
  }

  /** Reports a transaction of the payout as the signer, and gives it to the chain. */
  async function send(payout_id: number, value: bigint): Promise<void> {
    const raw = await privateKeyToAccount(HOT_KEY).signTransaction({
      ...{ type: 'eip1559', chainId: 31337, nonce: 0, gas: 21_000n, to: PAYEE, value },
      ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n },
    });
    const sent = { payout_id, outcome: 'sent', sender: HOT_WALLET, nonce: 0 };
    const reports = [{ ...sent, tx_hash: keccak256(raw) }];
    const token = await lab.service.tokens.operator('operator:payouts-sign');
    expect(await call(token, '/operator/payouts/reports', { signer, reports })).toBe('');
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine(CONFIRMATIONS);
    await lab.follow();
  }

  /** A payout of 2 ETH whose transaction pays 1. */
  async function mismatched(amount = '2'): Promise<number> {
    const id = await taken(amount);
    await send(id, ETH);
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'sent', reason_code: 'transaction_mismatch' },
    });
    return id;
  }

  async function taken(amount: string): Promise<number> {
    const id = await lab.approved(amount);
    const token = await lab.service.tokens.operator('operator:payouts-sign');
    await call(token, '/operator/payouts/take', { network: NETWORK, signer, limit: 10 });
    return id;
  }

  const report = async (reports: object[]): Promise<string> =>
    call(await lab.service.tokens.operator('operator:payouts-sign'), '/operator/payouts/reports', {
      ...{ signer, reports },
    });

  async function decide(id: number, outcome: 'confirmed' | 'failed', operator = 0) {
    const token = await lab.service.tokens.person(lab.operators[operator]?.userId ?? 0, {
      ...{ scopes: ['operator:payouts'], authTime: systemClock.now() },
    });
    const body = { outcome, remark: 'Seen in the chain.' };
    const answer = await call(token, `/operator/payouts/${id}/mismatch`, body);
    const decided = JSON.parse(answer) as { code?: string; mismatch_outcome?: string };
    if (decided.code !== undefined) throw new Error(decided.code);
    return decided;
  }

  const waits = (id: number) => expect.stringContaining(`payout ${id} waits for an operator`);

  test('the money is given back, once the block is final', async () => {
    const id = await mismatched();
    expect(await lab.balance(lab.user)).toMatchObject({ hold: 2n * ETH });
    expect(await lab.verify()).toContainEqual(waits(id));
    expect(await decide(id, 'confirmed')).toMatchObject({ mismatch_outcome: 'confirmed' });
    expect(await decide(id, 'failed')).toMatchObject({ mismatch_outcome: 'failed' });
    expect(await lab.verify()).not.toContainEqual(waits(id));
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
    await lab.anvil.mine(WINDOW);
    await lab.follow();
    const { decisions } = (await lab.read(id)) as { decisions: { decision: string }[] };
    expect(decisions.map(({ decision }) => decision)).toEqual([
      ...['approved', 'mismatch_accepted', 'mismatch_refunded'],
    ]);
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'failed', reason_code: 'mismatch_refunded', refunds: 1 },
    });
    expect(await lab.balance(lab.user)).toEqual({ balance: 1000n * ETH, hold: 0n });
    await expect(decide(id, 'confirmed')).rejects.toThrow('payout_not_open');
  });

  test('it counts as the payment', async () => {
    const id = await mismatched();
    await decide(id, 'confirmed');
    await lab.anvil.mine(WINDOW);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'confirmed', reason_code: 'mismatch_accepted', refunds: 0 },
    });
    expect(await lab.balance(lab.user)).toEqual({ balance: 998n * ETH, hold: 0n });
  });

  test('a decision is about one transaction: the right one takes its place', async () => {
    const id = await mismatched();
    await decide(id, 'failed');
    await lab.anvil.rollback(CONFIRMATIONS);
    await send(id, (199n * ETH) / 100n);
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed', reason_code: 'deep_enough' });
    await lab.anvil.mine(WINDOW);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await lab.balance(lab.user)).toEqual({ balance: 998n * ETH, hold: 0n });
  });

  test('only while its transaction pays something else, and not by its user', async () => {
    const id = await mismatched();
    const fine = await lab.approved('1');
    await expect(decide(fine, 'failed')).rejects.toThrow('payout_not_open');
    const token = await lab.service.tokens.person(lab.user, {
      scopes: ['operator:payouts'],
      authTime: systemClock.now(),
    });
    const body = { outcome: 'failed', remark: 'Mine.' };
    expect(await call(token, `/operator/payouts/${id}/mismatch`, body)).toContain('payout_own');
  });

  test('above the bound two operators give money back, and no client does', async () => {
    const id = await mismatched('6');
    const path = `/operator/payouts/${id}/mismatch`;
    const remark = 'Seen in the chain.';
    await expect(lab.operate(path, { outcome: 'failed', remark })).rejects.toThrow(
      'wrong_token_kind',
    );
    expect(await decide(id, 'failed')).not.toHaveProperty('mismatch_outcome');
    expect(await decide(id, 'failed')).not.toHaveProperty('mismatch_outcome');
    await lab.anvil.mine(WINDOW);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
    expect(await decide(id, 'failed', 1)).toMatchObject({ mismatch_outcome: 'failed' });
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'failed' });
  });

  test('another reported transaction does not hide the one that pays', async () => {
    const id = await taken('2');
    const other = await lab.anvil.send({
      from: lab.anvil.accounts[5] ?? '0x',
      to: HOT_WALLET,
      value: 1n,
    });
    await send(id, (199n * ETH) / 100n);
    const sent = { payout_id: id, outcome: 'sent', tx_hash: other };
    expect(await report([sent])).toContain('payout_nonce_changed');
    expect(await report([{ ...sent, sender: HOT_WALLET, nonce: 0 }])).toBe('');
    await lab.follow();
    await lab.anvil.mine(WINDOW);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed', reason_code: 'deep_enough' });
  });

  test('what a signer has sent does not go back to the operators', async () => {
    const id = await taken('2');
    const sent = { payout_id: id, outcome: 'sent', tx_hash: `0x${'ab'.repeat(32)}` };
    const named = { ...sent, sender: HOT_WALLET, nonce: 0 };
    const refused = { payout_id: id, outcome: 'refused', reason: 'test' };
    expect(await report([named, refused])).toContain('payout_not_open');
    expect(await report([refused, { ...refused, outcome: 'postponed' }])).toContain(
      'payout_not_open',
    );
    expect(await lab.read(id)).toMatchObject({ status: 'signed' });
    expect(await report([named])).toBe('');
    expect(await report([refused])).toContain('payout_not_open');
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
  });
});
