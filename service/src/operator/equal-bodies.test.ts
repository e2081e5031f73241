/** Bodies that ask for the same in other words are one request under one key. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { type MoneyServer, openMoneyServer } from '../../test/support/money-server.ts';

const AT = '2026-11-09T23:00:00Z';

describe.each(RUN_ENGINES)('equal bodies on %s', (engine) => {
  let money: MoneyServer;
  beforeAll(async () => {
    money = await openMoneyServer(engine);
  });
  afterAll(() => money.close());

  test('an instant is the same in each of its forms, an amount with zeros at its end', async () => {
    const headers = { 'idempotency-key': money.key() };
    const reward = { ...money.reward(), amount: '1.5', event_at: AT };
    const send = (fields: object) =>
      money.post('/operator/rewards', { ...reward, ...fields }, headers);
    const first = await send({});
    expect(first.statusCode).toBe(200);
    for (const event_at of ['2026-11-09T23:00:00.000Z', '2026-11-10T00:00:00+01:00'])
      expect((await send({ event_at, amount: '1.50' })).body).toBe(first.body);
    const other = await send({ event_at: '2026-11-09T23:00:00.001Z' });
    expect(other.json().code).toBe('idempotency_key_reused');
  });

  test('a flag that is off is the same as one that is left out', async () => {
    const headers = { 'idempotency-key': money.key() };
    const item = {
      debit: { house: 'adjustment' },
      credit: { user_id: money.user, wallet: 'asset' },
      ...{ currency: 'USDT', amount: '2', business_id: 'adjustment', event_at: AT },
    };
    const send = (fields: object, ofItem = {}) =>
      money.post(
        '/operator/transfers',
        { transfers: [{ ...item, ...ofItem }], ...fields },
        headers,
      );
    const first = await send({});
    expect(first.json().results).toMatchObject([{ status: 'posted' }]);
    expect((await send({ atomic: false }, { may_overdraw: false })).body).toBe(first.body);
    expect((await send({}, { event_at: '2026-11-09T23:00:00.000Z' })).body).toBe(first.body);
    expect((await send({ atomic: true })).json().code).toBe('idempotency_key_reused');
    expect((await send({}, { may_overdraw: true })).json().code).toBe('idempotency_key_reused');
  });
});
