import { describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { usePayoutLab } from '../../test/support/payout-lab.ts';

describe.each(RUN_ENGINES)('the sanctions check of payouts on %s', (engine) => {
  const lab = usePayoutLab(engine);

  test('nothing is approved before the sanctions check answers; its answer is stored', async () => {
    const sanctions_url = `https://check.example/${lab.user}`;
    await lab.server.putPolicy({ sanctions_url });
    const id = await lab.requested('1');
    await lab.server.review();
    expect(await lab.server.read(id)).toMatchObject({ status: 'requested' });
    lab.server.answers.set(sanctions_url, { status: 200, text: '{"allowed":true,"ref":7}' });
    lab.server.clock.advance(3_600_000);
    await lab.server.review();
    expect(await lab.server.read(id)).toMatchObject({
      status: 'approved',
      sanctions: { is_allowed: true, answer: '{"allowed":true,"ref":7}' },
    });
  });

  test.each([
    [500, '{"allowed":false}'],
    [429, '{"allowed":true}'],
    [302, ''],
    [200, 'yes'],
    [200, '[true]'],
    [200, '{"allowed":"true"}'],
    [200, '{"allowed":false,"allowed":true}'],
  ])('%s %s is no answer of the check: it is asked again', async (status, text) => {
    const sanctions_url = `https://check.example/${lab.user}`;
    lab.server.answers.set(sanctions_url, { status, text });
    await lab.server.putPolicy({ sanctions_url });
    const id = await lab.requested('1');
    await lab.server.review();
    expect(await lab.server.read(id)).toMatchObject({ status: 'requested' });
    lab.server.answers.set(sanctions_url, { status: 200, text: '{"allowed":true}' });
    lab.server.clock.advance(3_600_000);
    await lab.server.review();
    expect(await lab.server.read(id)).toMatchObject({ status: 'approved' });
  });

  test('a check that denies sends it to review', async () => {
    const sanctions_url = `https://check.example/${lab.user}`;
    lab.server.answers.set(sanctions_url, { status: 200, text: '{"allowed":false}' });
    await lab.server.putPolicy({ sanctions_url });
    const id = await lab.inReview('1');
    expect((await lab.server.read(id)).review_reasons).toContain('sanctions');
  });

  test('a wrong address of the check is corrected for payouts that wait, too', async () => {
    await lab.server.putPolicy({ sanctions_url: 'https://wrong.example/' });
    const id = await lab.requested('1');
    await lab.server.review();
    const sanctions_url = `https://right.example/${lab.user}`;
    lab.server.answers.set(sanctions_url, { status: 200, text: '{"allowed":true}' });
    await lab.server.putPolicy({ sanctions_url });
    lab.server.clock.advance(3_600_000);
    await lab.server.review();
    expect(await lab.server.read(id)).toMatchObject({ status: 'approved' });
  });

  test('a payout that was to be checked goes to an operator when the check is gone', async () => {
    await lab.server.putPolicy({ sanctions_url: 'https://gone.example/' });
    const id = await lab.requested('1');
    await lab.server.putPolicy();
    await lab.server.review();
    expect(await lab.server.read(id)).toMatchObject({
      ...{ status: 'in_review', review_reasons: ['new_address', 'sanctions'] },
    });
  });
});
