import { describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { usePayoutLab } from '../../test/support/payout-lab.ts';
import { ETH, TARGET } from '../../test/support/payout-server.ts';

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
