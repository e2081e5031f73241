import { describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { usePayoutLab } from '../../test/support/payout-lab.ts';
import { ETH, TARGET } from '../../test/support/payout-server.ts';
import { createSoftPasskey } from '../../test/support/soft-passkey.ts';
import { transaction } from '../db/index.ts';
import { closeAccountsOf } from '../ledger/index.ts';

const TX = `0x${'ab'.repeat(32)}`;
/** The signer's hot wallet. */
const SENDER = `0x${'5e'.repeat(20)}`;

describe.each(RUN_ENGINES)('payouts that the signer takes on %s', (engine) => {
  const lab = usePayoutLab(engine);

  test('are taken once, with their approvals; then they cannot be cancelled', async () => {
    const id = await lab.inReview('2');
    await lab.server.approve(id, lab.operators[0]);
    const [taken] = await lab.takeOf(id);
    expect(taken).toMatchObject({
      payout_id: id,
      approvals: [{ user_id: lab.operators[0].userId, passkey_credential: { type: 'public-key' } }],
    });
    expect(JSON.parse(taken?.document ?? '')).toMatchObject({
      payout_id: id,
      address: TARGET,
      amount: String((2n * ETH * 199n) / 200n),
      contract: null,
      chain_id: 1,
    });
    expect(await lab.takeOf(id, 'signer-two')).toEqual([]);
    expect(await lab.takeOf(id)).toHaveLength(1);
    const cancel = await lab.server.call('POST', `/payouts/${id}/cancel`, {
      as: lab.server.asUser(lab.user),
    });
    expect(cancel.json().code).toBe('payout_not_open');
    const report = [{ payout_id: id, outcome: 'sent', tx_hash: TX, sender: SENDER, nonce: 0 }];
    const foreign = await lab.server.report(report, 'signer-two');
    expect(foreign.json().code).toBe('payout_of_other_signer');
    expect((await lab.server.report(report)).statusCode).toBe(204);
    expect((await lab.server.report(report)).statusCode).toBe(204);
    expect(await lab.server.read(id)).toMatchObject({ status: 'sent', tx_hash: TX });
    const refused = await lab.server.report([{ payout_id: id, outcome: 'refused' }]);
    expect(refused.json().code).toBe('payout_not_open');
  });

  const setStatus = (userId: number, status: string) =>
    lab.server.database.query('update app_user set status = $2 where id = $1', [userId, status]);

  test('of a disabled account are not handed over, and an operator gives them back', async () => {
    const ids = [await lab.requested('1'), await lab.inReview('2')] as const;
    await lab.server.approve(ids[1], lab.operators[0]);
    expect(await lab.server.read(ids[0])).toMatchObject({ status: 'approved' });
    const hashes = [await lab.server.read(ids[0]), await lab.server.read(ids[1])];
    await setStatus(lab.user, 'disabled');
    for (const [at, id] of ids.entries()) {
      expect(await lab.takeOf(id)).toEqual([]);
      const payout = await lab.server.read(id);
      expect(payout).toMatchObject({ status: 'in_review', reason_code: 'owner_inactive' });
      expect(payout.review_reasons).toContain('owner_inactive');
      expect(payout.document_hash).not.toBe(hashes[at]?.document_hash);
      const approved = await lab.server.approve(id, lab.operators[0]);
      expect(approved.json().code).toBe('payout_owner_inactive');
      const reject = { as: lab.server.client, body: { remark: 'disabled' } };
      await lab.server.call('POST', `/operator/payouts/${id}/reject`, reject);
    }
    expect(await lab.server.balance(lab.user)).toEqual({ balance: 10n * ETH, hold: 0n });
  });

  test('of an account that was disabled before the review are reviewed', async () => {
    const id = await lab.requested('1');
    await setStatus(lab.user, 'disabled');
    await lab.server.review();
    expect(await lab.server.read(id)).toMatchObject({
      review_reasons: ['new_address', 'owner_inactive'],
    });
    await setStatus(lab.user, 'active');
    expect((await lab.server.approve(id, lab.operators[0])).json().status).toBe('approved');
    expect(await lab.takeOf(id)).toHaveLength(1);
  });

  test('of a closed account are given back to its wallet', async () => {
    const id = await lab.requested('1');
    await lab.server.review();
    await transaction(lab.server.database, (tx) => closeAccountsOf(tx, lab.user));
    await setStatus(lab.user, 'closed');
    expect(await lab.takeOf(id)).toEqual([]);
    const reject = { as: lab.server.client, body: { remark: 'closed' } };
    const answer = await lab.server.call('POST', `/operator/payouts/${id}/reject`, reject);
    expect(answer.json()).toMatchObject({ status: 'rejected' });
    expect(await lab.server.balance(lab.user)).toEqual({ balance: 10n * ETH, hold: 0n });
  });

  test('of an account that is disabled before they are sent are taken back', async () => {
    const id = await lab.requested('1');
    await lab.server.review();
    expect(await lab.takeOf(id)).toHaveLength(1);
    await setStatus(lab.user, 'disabled');
    const report = [{ payout_id: id, outcome: 'sent', tx_hash: TX, sender: SENDER, nonce: 0 }];
    expect((await lab.server.report(report)).json().code).toBe('payout_of_other_signer');
    expect(await lab.server.read(id)).toMatchObject({
      ...{ status: 'in_review', reason_code: 'owner_inactive' },
    });
  });

  test('of an account whose money is frozen before they are sent are taken back', async () => {
    const id = await lab.requested('1');
    await lab.server.review();
    expect(await lab.takeOf(id)).toHaveLength(1);
    lab.server.frozen.add(lab.user);
    const report = [{ payout_id: id, outcome: 'sent', tx_hash: TX, sender: SENDER, nonce: 0 }];
    expect((await lab.server.report(report)).json().code).toBe('payout_of_other_signer');
    expect(await lab.server.read(id)).toMatchObject({
      ...{ status: 'in_review', reason_code: 'money_frozen' },
      review_reasons: expect.arrayContaining(['money_frozen']),
    });
  });

  test('whose approver is disabled before they are sent are taken back', async () => {
    const gone = await lab.server.addOperator();
    const id = await lab.inReview('2');
    await lab.server.approve(id, gone);
    expect(await lab.takeOf(id)).toHaveLength(1);
    await setStatus(gone.userId, 'disabled');
    const report = [{ payout_id: id, outcome: 'sent', tx_hash: TX, sender: SENDER, nonce: 0 }];
    expect((await lab.server.report(report)).json().code).toBe('payout_of_other_signer');
    expect(await lab.server.read(id)).toMatchObject({
      ...{ status: 'in_review', reason_code: 'approver_inactive' },
    });
  });

  test.each([
    ['is disabled', `status = 'disabled'`],
    ['has lost the scope', `operator_scopes = '{}'`],
    ['has a role without the scope', `operator_scopes = '{role:support}'`],
  ])('whose approver %s are approved anew', async (_what, change) => {
    const gone = await lab.server.addOperator();
    const id = await lab.inReview('6');
    await lab.server.approve(id, gone);
    await lab.server.approve(id, lab.operators[0]);
    expect(await lab.server.read(id)).toMatchObject({ status: 'approved' });
    await lab.server.database.query(`update app_user set ${change} where id = $1`, [gone.userId]);
    expect(await lab.takeOf(id)).toEqual([]);
    expect(await lab.server.read(id)).toMatchObject({
      ...{ status: 'in_review', reason_code: 'approver_inactive', approvals_needed: 2 },
    });
    await lab.server.approve(id, lab.operators[0]);
    expect(await lab.takeOf(id)).toEqual([]);
    await lab.server.approve(id, lab.operators[1]);
    const [taken] = (await lab.server.take())
      .json()
      .payouts.filter(({ payout_id }: { payout_id: number }) => payout_id === id);
    const users = taken.approvals.map(({ user_id }: { user_id: number }) => user_id);
    expect(users).toEqual(lab.operators.map(({ userId }) => userId));
  });

  test('that a removed passkey approved are approved anew, also by its owner', async () => {
    const operator = await lab.server.addOperator();
    const ids = [await lab.inReview('2'), await lab.inReview('2'), await lab.inReview('6')];
    const [waiting = 0, taken = 0, half = 0] = ids;
    await lab.server.approve(taken, operator);
    expect(await lab.takeOf(taken)).toHaveLength(1);
    await lab.server.approve(waiting, operator);
    await lab.server.approve(half, operator);
    const remove = 'delete from passkey where user_id = $1';
    await lab.server.database.query(remove, [operator.userId]);
    const report = { payout_id: taken, outcome: 'sent', tx_hash: TX, sender: SENDER, nonce: 0 };
    expect((await lab.server.report([report])).json().code).toBe('payout_of_other_signer');
    expect(await lab.takeOf(waiting)).toEqual([]);
    for (const id of [waiting, taken])
      expect(await lab.server.read(id)).toMatchObject({
        ...{ status: 'in_review', reason_code: 'approver_inactive' },
      });
    const passkey = createSoftPasskey();
    await passkey.enrol(lab.server.database, operator.userId);
    const again = { ...operator, passkey };
    for (const id of [waiting, half]) await lab.server.approve(id, again);
    expect(await lab.takeOf(waiting)).toHaveLength(1);
    const second = (await lab.server.approve(half, again)).json();
    expect(second.code).toBe('payout_approved_by_caller');
    expect(await lab.server.read(half)).toMatchObject({ reason_code: 'needs_second_approval' });
    expect((await lab.server.approve(half, lab.operators[0])).json().status).toBe('approved');
  });

  test('an approval of a disabled operator does not count for the next one', async () => {
    const gone = await lab.server.addOperator();
    const id = await lab.inReview('6');
    await lab.server.approve(id, gone);
    await setStatus(gone.userId, 'disabled');
    expect((await lab.server.approve(id, lab.operators[0])).json()).toMatchObject({
      ...{ status: 'in_review', reason_code: 'needs_second_approval' },
    });
  });

  test('of a stopped currency are neither handed over again nor sent', async () => {
    const id = await lab.requested('1');
    await lab.server.review();
    expect(await lab.takeOf(id)).toHaveLength(1);
    const url = '/operator/payout-stops/ETH';
    await lab.server.call('PUT', url, { as: lab.server.client, body: { reason: 'incident' } });
    expect(await lab.takeOf(id)).toEqual([]);
    const report = [{ payout_id: id, outcome: 'sent', tx_hash: TX, sender: SENDER, nonce: 0 }];
    expect((await lab.server.report(report)).json().code).toBe('payout_stopped');
    expect(await lab.server.read(id)).toMatchObject({ status: 'signed' });
    await lab.server.call('DELETE', url, { as: lab.server.client });
    expect(await lab.takeOf(id)).toHaveLength(1);
    expect((await lab.server.report(report)).statusCode).toBe(204);
    // What the chain has is replaced and followed as before.
    await lab.server.call('PUT', url, { as: lab.server.client, body: { reason: 'incident' } });
    const next = [{ ...report[0], tx_hash: TX.replace('ab', 'cd') }];
    expect((await lab.server.report(next)).statusCode).toBe(204);
    await lab.server.call('DELETE', url, { as: lab.server.client });
  });

  test('the head names the last decision, and the one that the signer has seen', async () => {
    const take = async (more: object) => {
      await lab.requested('0.5');
      await lab.server.review();
      const answer = await lab.server.call('POST', '/operator/payouts/take', {
        as: lab.server.signer,
        body: { network: 'ETHEREUM', signer: 'signer-one', limit: 50, ...more },
      });
      return JSON.parse(answer.json().head.body).decisions as {
        last: { position: number; mac: string };
        seen?: { position: number; mac: string };
      };
    };
    const { last } = await take({});
    const next = await take({ decision_position: last.position });
    expect(next.seen).toEqual(last);
    expect(next.last.position).toBeGreaterThan(last.position);
    expect((await take({ decision_position: 1_000_000 })).seen).toBeUndefined();
    const first = await take({ decision_position: 0 });
    expect(first.seen).toEqual({ position: 0, mac: '00'.repeat(32) });
  });

  test('that the hot wallet is too small for show so, and wait', async () => {
    const id = await lab.requested('1');
    await lab.server.review();
    await lab.server.take();
    const postponed = { payout_id: id, outcome: 'postponed', cause_code: 'hot_wallet' };
    await lab.server.report([postponed]);
    expect(await lab.server.read(id)).toMatchObject({
      ...{ status: 'approved', reason_code: 'waits_for_hot_wallet' },
    });
  });

  test('that it refuses are reviewed again, those that it postpones wait', async () => {
    const id = await lab.requested('1');
    await lab.server.review();
    await lab.server.take();
    await lab.server.report([{ payout_id: id, outcome: 'postponed', reason: 'hour limit' }]);
    expect(await lab.server.read(id)).toMatchObject({ status: 'approved' });
    expect(await lab.takeOf(id)).toEqual([]);
    lab.server.clock.advance(601_000);
    expect(await lab.takeOf(id)).toHaveLength(1);
    await lab.server.report([{ payout_id: id, outcome: 'refused', reason: 'address limit' }]);
    expect(await lab.server.read(id)).toMatchObject({
      status: 'in_review',
      reason_code: 'refused_by_signer',
      approvals_needed: 1,
    });
    expect((await lab.server.approve(id, lab.operators[1])).json()).toMatchObject({
      status: 'approved',
    });
  });
});
