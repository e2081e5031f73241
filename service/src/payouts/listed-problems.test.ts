/** Problems that the API lists for payouts, and that no test of their own causes there. */
import { expect, test } from 'vitest';
import { usePayoutLab } from '../../test/support/payout-lab.ts';
import { createSoftPasskey } from '../../test/support/soft-passkey.ts';

const lab = usePayoutLab('server');
const order = (fields: object = {}) => ({
  ...{ wallet: 'asset', currency: 'ETH', amount: '1', address_id: lab.address },
  ...fields,
});
const asUser = (userId = lab.user) => ({ as: lab.server.asUser(userId) });
const options = async (fields: object = {}): Promise<string> =>
  (
    await lab.server.call('POST', '/payouts/signing-options', { ...asUser(), body: order(fields) })
  ).json().code;
const stop = (method: 'PUT' | 'DELETE') =>
  lab.server.call(method, '/operator/payout-stops/ETH', {
    as: lab.server.client,
    ...(method === 'PUT' && { body: { reason: 'incident' } }),
  });

test('terms that a quote or a signature cannot have', async () => {
  const passkey = createSoftPasskey();
  await passkey.enrol(lab.server.database, lab.user);
  const url = '/payouts/quote?currency=ETH&network=ETHEREUM&amount=0.01';
  expect((await lab.server.call('GET', url, asUser())).json().code).toBe('payout_below_minimum');
  expect(await options({ amount: '0.01' })).toBe('payout_below_minimum');
  expect(await options({ currency: 'USDT' })).toBe('payout_unavailable');
  expect(await options({ quote_version: 99 })).toBe('quote_expired');
  await stop('PUT');
  expect(await options()).toBe('payout_stopped');
  await stop('DELETE');
});

test('decisions about a payout that is stopped, or has ended', async () => {
  const id = await lab.inReview();
  await stop('PUT');
  const approval = await lab.server.approve(id, lab.operators[0]);
  expect(approval.json().code).toBe('payout_stopped');
  await stop('DELETE');
  const cancelled = await lab.server.call('POST', `/payouts/${id}/cancel`, asUser());
  expect(cancelled.statusCode).toBe(200);
  const rejection = { as: lab.server.client, body: { remark: 'seen' } };
  const url = `/operator/payouts/${id}/reject`;
  expect((await lab.server.call('POST', url, rejection)).json().code).toBe('payout_not_open');
});

test('more addresses than a user may have', async () => {
  const add = (label: number) =>
    lab.server.call('POST', '/me/payout-addresses', {
      ...asUser(),
      body: {
        network: 'ETHEREUM',
        address: `0x${String(100 + label).padStart(40, '7')}`,
        label: String(label),
      },
    });
  const codes = [];
  for (let label = 1; label <= 51; label++) codes.push((await add(label)).json().code);
  expect(codes.at(-1)).toBe('payout_address_limit');
});

test('a wallet that is closed', async () => {
  const close = (isClosed: boolean) =>
    lab.server.database.query('update account set closed = $2 where user_id = $1', [
      ...[lab.user, isClosed],
    ]);
  await close(true);
  expect((await lab.server.request(lab.user, lab.address, '1')).json().code).toBe('account_closed');
  await close(false);
});
