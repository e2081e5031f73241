import { describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { usePayoutLab } from '../../test/support/payout-lab.ts';
import { ETH, RULE } from '../../test/support/payout-server.ts';
import { verifyDecisions } from './decisions.ts';

const OTHER_TARGET = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

describe.each(RUN_ENGINES)('requests for payouts on %s', (engine) => {
  const lab = usePayoutLab(engine);

  test('a quote states the fee and the amount that arrives', async () => {
    const url = '/payouts/quote?currency=ETH&network=ETHEREUM&amount=1';
    const quote = await lab.server.call('GET', url, { as: lab.server.asUser(lab.user) });
    expect(quote.json()).toMatchObject({
      amount: '1',
      fee: '0.01',
      arrives: '0.99',
      minimum: '0.05',
    });
  });

  test('the terms of a quote are valid for five minutes after a policy change', async () => {
    const url = '/payouts/quote?currency=ETH&network=ETHEREUM';
    const quoted = (await lab.server.call('GET', url, { as: lab.server.asUser(lab.user) })).json();
    await lab.server.putPolicy({ rules: [{ ...RULE, fee: '0.02' }] });
    const request = () =>
      lab.server.call('POST', '/payouts', {
        as: lab.server.asUser(lab.user),
        body: {
          ...{ wallet: 'asset', currency: 'ETH', amount: '1', address_id: lab.address },
          quote_version: quoted.quote_version,
        },
      });
    expect((await request()).json().fee).toBe('0.01');
    lab.server.clock.advance(301_000);
    expect((await request()).json().code).toBe('quote_expired');
  });

  test('a quote keeps its fee only: limits are those of the policy in force', async () => {
    const url = '/payouts/quote?currency=ETH&network=ETHEREUM';
    const quoted = (await lab.server.call('GET', url, { as: lab.server.asUser(lab.user) })).json();
    const tighter = {
      fee: '0.02',
      person_day_max: '0.5',
      automatic_max: '0.2',
      four_eyes_above: '0.3',
    };
    await lab.server.putPolicy({ rules: [{ ...RULE, ...tighter }] });
    const request = (amount: string) =>
      lab.server.call('POST', '/payouts', {
        as: lab.server.asUser(lab.user),
        body: {
          ...{ wallet: 'asset', currency: 'ETH', amount, address_id: lab.address },
          quote_version: quoted.quote_version,
        },
      });
    expect((await request('0.6')).json().code).toBe('payout_above_limit');
    const { id, fee } = (await request('0.4')).json();
    expect(fee).toBe('0.01');
    await lab.server.review();
    expect(await lab.server.read(id)).toMatchObject({
      ...{
        status: 'in_review',
        review_reasons: ['above_automatic', 'new_address'],
        approvals_needed: 2,
      },
    });
    await lab.server.putPolicy({ rules: [] });
    expect((await request('0.05')).json().code).toBe('payout_unavailable');
  });

  test('a request holds the money, and cancelling releases it', async () => {
    const id = await lab.requested('3');
    expect(await lab.server.balance(lab.user)).toEqual({ balance: 7n * ETH, hold: 3n * ETH });
    const other = await lab.server.addUser();
    const read = (userId: number) =>
      lab.server.call('GET', `/payouts/${id}`, { as: lab.server.asUser(userId) });
    expect((await read(lab.user)).json()).toMatchObject({ id, status: 'requested', amount: '3' });
    expect((await read(other)).statusCode).toBe(404);
    const url = `/payouts/${id}/cancel`;
    const foreign = await lab.server.call('POST', url, { as: lab.server.asUser(other) });
    expect(foreign.statusCode).toBe(404);
    const cancelled = await lab.server.call('POST', url, { as: lab.server.asUser(lab.user) });
    expect(cancelled.json()).toMatchObject({
      status: 'cancelled',
      reason_code: 'cancelled_by_user',
    });
    expect(await lab.server.balance(lab.user)).toEqual({ balance: 10n * ETH, hold: 0n });
  });

  test('the same key is one payout, another body a conflict', async () => {
    const [first, second] = await Promise.all([
      lab.server.request(lab.user, lab.address, '1', 'same'),
      lab.server.request(lab.user, lab.address, '1', 'same'),
    ]);
    expect(second.json().id).toBe(first.json().id);
    expect(await lab.server.balance(lab.user)).toMatchObject({ hold: ETH });
    const other = await lab.server.request(lab.user, lab.address, '2', 'same');
    expect(other.json().code).toBe('idempotency_key_reused');
  });

  test('a repeated request gets the first answer, whatever became of the payout', async () => {
    const ask = () => lab.server.request(lab.user, lab.address, '1.5', 'repeated');
    const first = await ask();
    expect(first.json()).toMatchObject({ status: 'requested', confirmations: 0 });
    lab.server.clock.advance(1000);
    await lab.server.review();
    expect(await lab.server.read(first.json().id)).toMatchObject({ status: 'in_review' });
    expect((await ask()).body).toBe(first.body);
    const cancel = `/payouts/${first.json().id}/cancel`;
    await lab.server.call('POST', cancel, { as: lab.server.asUser(lab.user) });
    expect((await ask()).body).toBe(first.body);
  });

  test('each change of the policy is in the log of decisions as a whole', async () => {
    await lab.server.putPolicy({ rules: [{ ...RULE, person_day_max: '4' }] });
    await lab.server.putPolicy({ rules: [{ ...RULE, person_day_max: '3' }] });
    const { rows } = await lab.server.database.query<{ details: object }>(
      `select details from payout_decision where decision = 'policy_changed'
       order by position desc limit 1`,
    );
    expect(rows[0]?.details).toMatchObject({
      policy: { rules: [{ person_day_max: '3' }] },
      before: { rules: [{ person_day_max: '4' }], version: expect.any(Number) },
    });
    expect((await verifyDecisions(lab.server.database)).problems).toEqual([]);
  });

  test('limits hold for requests at the same time', async () => {
    await lab.server.putPolicy({ rules: [{ ...RULE, person_day_max: '3' }] });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => lab.server.request(lab.user, lab.address, '1')),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3);
    expect(await lab.server.balance(lab.user)).toMatchObject({ hold: 3n * ETH });
  });

  test('a reverted transaction counts for the limit of its user, a cancelled one not', async () => {
    await lab.server.putPolicy({ rules: [{ ...RULE, person_day_max: '3' }] });
    const [reverted, cancelled] = [await lab.requested('2'), await lab.requested('1')];
    // Or payouts of all other tests to the address would be reviewed.
    const elsewhere = await lab.server.addAddress(lab.user, OTHER_TARGET);
    const url = `/payouts/${cancelled}/cancel`;
    await lab.server.call('POST', url, { as: lab.server.asUser(lab.user) });
    await lab.server.database.query(
      `update payout set status = 'failed', reason_code = 'reverted', address_id = $2
       where id = $1`,
      [reverted, elsewhere],
    );
    const over = await lab.server.request(lab.user, lab.address, '1.1');
    expect(over.json().code).toBe('payout_above_limit');
    expect((await lab.server.request(lab.user, lab.address, '1')).statusCode).toBe(200);
  });

  test('all users share a limit of 24 hours, and what was given back does not count', async () => {
    lab.server.clock.advance(25 * 3_600_000);
    await lab.server.putPolicy({ rules: [{ ...RULE, day_max: '5', email_only_day_max: '10' }] });
    const other = await lab.server.addUser();
    const otherAddress = await lab.server.addAddress(other);
    const leftOfOther = async () => {
      const url = '/payouts/quote?currency=ETH&network=ETHEREUM';
      const quote = await lab.server.call('GET', url, { as: lab.server.asUser(other) });
      return quote.json().left_today as unknown;
    };
    const id = await lab.requested('3');
    await lab.requested('1');
    expect(await leftOfOther()).toBe('1');
    const refused = await lab.server.request(other, otherAddress, '2');
    expect(refused.json().code).toBe('payout_above_limit');
    const url = `/payouts/${id}/cancel`;
    await lab.server.call('POST', url, { as: lab.server.asUser(lab.user) });
    expect(await leftOfOther()).toBe('4');
    lab.server.clock.advance(24 * 3_600_000 - 1);
    expect(await leftOfOther()).toBe('4');
    // Ten minutes count as a whole.
    lab.server.clock.advance(600_001);
    expect(await leftOfOther()).toBe('5');
  });

  test.each([
    ['0.04', 'payout_below_minimum'],
    ['11', 'payout_above_limit'],
  ])('%s ETH is refused with %s', async (amount, code) => {
    expect((await lab.server.request(lab.user, lab.address, amount)).json().code).toBe(code);
  });

  test('more than the balance is refused', async () => {
    await lab.server.putPolicy({ rules: [{ ...RULE, person_day_max: '100' }] });
    expect((await lab.server.request(lab.user, lab.address, '11')).json().code).toBe(
      'insufficient_funds',
    );
  });

  test('frozen money is refused, and an approved payout of it waits', async () => {
    const id = await lab.requested();
    await lab.server.review();
    lab.server.frozen.add(lab.user);
    expect((await lab.server.request(lab.user, lab.address, '1')).json().code).toBe('money_frozen');
    expect(await lab.takeOf(id)).toEqual([]);
    expect(await lab.server.read(id)).toMatchObject({ status: 'approved' });
  });

  test('an account with email only has a lower limit, a strong factor must be used', async () => {
    const byEmail = { amr: ['pwd', 'email'] };
    const request = (amount: string) =>
      lab.server.call('POST', '/payouts', {
        as: lab.server.asUser(lab.user, byEmail),
        body: { wallet: 'asset', currency: 'ETH', amount, address_id: lab.address },
      });
    expect((await request('1')).json().code).toBe('payout_above_limit');
    expect((await request('0.1')).statusCode).toBe(200);
    await lab.operators[0].passkey.enrol(lab.server.database, lab.user).catch(() => undefined);
    const { passkey } = await lab.server.addOperator();
    await lab.server.database.query('update passkey set user_id = $1 where credential_id = $2', [
      lab.user,
      passkey.id,
    ]);
    expect((await request('0.1')).json().code).toBe('reauthentication_required');
  });

  test.each([
    ['authenticator_enrolled'],
    ['authenticator_removed'],
    ['passkey_added'],
    ['passkey_removed'],
    ['email_factor_changed'],
    ['email_changed'],
  ])('a day after %s an account has the limit of email, and is reviewed', async (type) => {
    await lab.server.database.query(
      `insert into security_event (user_id, type, ip, user_agent, details, created_at)
       values ($1, $2, '127.0.0.1', 'test', '{}', $3)`,
      [lab.user, type, lab.server.clock.now()],
    );
    const url = '/payouts/quote?currency=ETH&network=ETHEREUM';
    const quote = await lab.server.call('GET', url, { as: lab.server.asUser(lab.user) });
    expect(quote.json().left_today).toBe('0.1');
    const refused = await lab.server.request(lab.user, lab.address, '0.2');
    expect(refused.json().code).toBe('payout_above_limit');
    const id = await lab.inReview('0.1');
    expect(await lab.server.read(id)).toMatchObject({
      review_reasons: ['new_address', 'recent_factors'],
    });
    lab.server.clock.advance(86_400_001);
    expect((await lab.server.request(lab.user, lab.address, '1')).statusCode).toBe(200);
  });

  test('a stopped currency takes no requests and continues later', async () => {
    const id = await lab.requested();
    const url = '/operator/payout-stops/ETH';
    const stop = { as: lab.server.client, body: { reason: 'incident' } };
    expect((await lab.server.call('PUT', url, stop)).json()).toHaveLength(1);
    expect((await lab.server.request(lab.user, lab.address, '1')).json().code).toBe(
      'payout_stopped',
    );
    await lab.server.review();
    expect(await lab.server.read(id)).toMatchObject({ status: 'requested' });
    expect((await lab.server.call('DELETE', url, { as: lab.server.client })).json()).toEqual([]);
    await lab.server.review();
    expect(await lab.server.read(id)).toMatchObject({ status: 'approved' });
  });
});
