/** A token that carries fewer decimals than its currency has. */
import { beforeEach, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { usePayoutLab } from '../../test/support/payout-lab.ts';
import { RULE } from '../../test/support/payout-server.ts';

describe.each(RUN_ENGINES)('payouts of a token with 6 decimals on %s', (engine) => {
  const lab = usePayoutLab(engine);

  beforeEach(async () => {
    await lab.server.database.query(
      "update token set decimals = 6 where network = 'ETHEREUM' and currency = 'ETH'",
    );
  });

  const quote = async (query = '') =>
    (
      await lab.server.call('GET', `/payouts/quote?currency=ETH&network=ETHEREUM${query}`, {
        as: lab.server.asUser(lab.user),
      })
    ).json();

  test('an amount at the last decimal of the token is paid exactly', async () => {
    const answer = await lab.server.request(lab.user, lab.address, '0.050001');
    const { id } = answer.json();
    expect(answer.json()).toMatchObject({ arrives: '0.040001' });
    const { document } = await lab.server.read(id);
    expect(JSON.parse(String(document))).toMatchObject({ amount: '40001' });
  });

  test('an amount beyond it is refused', async () => {
    const answer = await lab.server.request(lab.user, lab.address, '0.0500001');
    expect(answer.json()).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ field: 'amount', code: 'too_many_decimals' }],
    });
  });

  test.each(['fee', 'minimum'])(
    'a policy whose %s the token cannot carry is refused',
    async (name) => {
      const answer = await lab.server.putPolicy({ rules: [{ ...RULE, [name]: '0.0400005' }] });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({
        errors: [{ field: `rules.0.${name}`, code: 'too_many_decimals' }],
      });
    },
  );

  test('the minimum of an older fee can be asked for', async () => {
    await lab.server.putPolicy({ rules: [{ ...RULE, fee: '0.06', minimum: '0.07' }] });
    const { quote_version } = await quote();
    await lab.server.putPolicy({ rules: [{ ...RULE, fee: '0.01', minimum: '0.02' }] });
    const request = (amount: string) =>
      lab.server.call('POST', '/payouts', {
        as: lab.server.asUser(lab.user),
        body: {
          ...{ wallet: 'asset', currency: 'ETH', amount, address_id: lab.address },
          quote_version,
        },
      });
    expect((await request('0.06')).json()).toMatchObject({
      code: 'payout_below_minimum',
      detail: expect.stringMatching(/0\.060001/),
    });
    expect((await request('0.060001')).json()).toMatchObject({ arrives: '0.000001' });
  });
});
