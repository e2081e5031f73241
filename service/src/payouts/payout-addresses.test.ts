import { describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { usePayoutLab } from '../../test/support/payout-lab.ts';
import { TARGET } from '../../test/support/payout-server.ts';

describe.each(RUN_ENGINES)('payout addresses on %s', (engine) => {
  const lab = usePayoutLab(engine);

  const add = (text: string, network = 'ETHEREUM', claims = {}, label = 'cold wallet') =>
    lab.server.call('POST', '/me/payout-addresses', {
      as: lab.server.asUser(lab.user, claims),
      body: { network, address: text, label },
    });

  test('an address needs its checksum', async () => {
    const bad = [
      ['ETHEREUM', TARGET.toLowerCase()],
      ['ETHEREUM', TARGET.replace('5aA', '5AA')],
      ['ETHEREUM', `0x${'0'.repeat(40)}`],
      ['ETHEREUM', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
      ['LITECOIN', 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n0'],
      ['LITECOIN', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
      ['BITCOIN', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3'],
    ];
    for (const [network, text] of bad) {
      const answer = await add(text ?? '', network);
      expect([text, answer.statusCode]).toEqual([text, 400]);
      expect(answer.json().errors[0].field).toBe('address');
    }
  });

  test.each([
    ['a control character', 'a\nb'],
    ['another direction', '\u202ex'],
    ['a mark of direction', 'x\u200f'],
    ['a character without width', '\u200bx'],
    ['spaces alone', '   '],
    ['more than 40 characters', 'x'.repeat(41)],
  ])('a label with %s is refused: operators see it beside the address', async (_what, label) => {
    const answer = await add('0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb', 'ETHEREUM', {}, label);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([{ field: 'label' }]);
  });

  test('addresses of UTXO networks are taken as bech32 and base58', async () => {
    const good = [
      ['BITCOIN', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
      ['BITCOIN', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'],
      ['LITECOIN', 'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz'],
    ];
    for (const [network, text] of good)
      expect([text, (await add(text ?? '', network)).statusCode]).toEqual([text, 200]);
  });

  test('a new address is quarantined for 24 hours and mailed', async () => {
    const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
    const added = (await add(other)).json();
    const refused = await lab.server.request(lab.user, added.id, '1');
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'payout_address_not_usable']);
    const { rows } = await lab.server.database.query<{ body: string }>(
      'select body from mail order by id desc limit 1',
    );
    expect(rows[0]?.body).toContain(other);
    expect((await add(other)).json().code).toBe('payout_address_exists');
    lab.server.clock.advance(86_400_000);
    expect((await lab.server.request(lab.user, added.id, '1')).statusCode).toBe(200);
  });

  test('an address needs a recently verified factor', async () => {
    const old = { authTime: new Date(lab.server.clock.now().getTime() - 3_600_000) };
    const answer = await add('0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb', 'ETHEREUM', old);
    expect(answer.json().code).toBe('reauthentication_required');
  });

  test('a removed address is gone, and no user removes that of another', async () => {
    const url = `/me/payout-addresses/${lab.address}`;
    const other = await lab.server.addUser();
    const foreign = await lab.server.call('DELETE', url, { as: lab.server.asUser(other) });
    expect(foreign.statusCode).toBe(404);
    expect(
      (await lab.server.call('DELETE', url, { as: lab.server.asUser(lab.user) })).statusCode,
    ).toBe(204);
    expect(
      (await lab.server.call('DELETE', url, { as: lab.server.asUser(lab.user) })).statusCode,
    ).toBe(404);
    expect((await lab.server.request(lab.user, lab.address, '1')).statusCode).toBe(404);
  });
});
