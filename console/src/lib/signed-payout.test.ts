import { expect, test } from 'vitest';
import {
  checkDocument,
  checkOrder,
  SignedMismatch,
  toChallenge,
  toTokenUnits,
} from './signed-payout.ts';

const shown = {
  network: 'ETHEREUM',
  currency: 'USDT',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  chain_id: 1,
  address_prefix: undefined,
  contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  leaves: '1.00',
  fee: '0.01',
  arrives: '0.99',
  decimals: 6,
  user_id: 7,
};
const common = {
  version: 1,
  user_id: 7,
  request_id: 'key',
  network: shown.network,
  chain_id: shown.chain_id,
  address_prefix: null,
  currency: shown.currency,
  contract: shown.contract.toLowerCase(),
  address: shown.address,
  amount: '990000',
};
const order = { kind: 'payout-order', ...common };
const issued = '2026-11-25T00:00:00.000Z';
const document = { ...common, payout_id: 3, requested_at: issued, attempt: 1, issued_at: issued };

async function signing(value: unknown) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { text, challenge: await toChallenge(text) };
}

test('an order and a document that say what is shown are signed', async () => {
  await checkOrder(await signing(order), shown, 'key');
  await checkDocument(await signing(document), shown, 3);
  expect(await toChallenge('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

const forgedCommon = {
  version: [2, '1'],
  user_id: [8, '7', undefined],
  network: ['POLYGON', undefined],
  currency: ['USDC', undefined],
  address: ['0x0000000000000000000000000000000000000001', shown.address.toLowerCase(), undefined],
  chain_id: [137, '1', null, undefined],
  address_prefix: ['bc', undefined],
  contract: [null, '0x0000000000000000000000000000000000000001', undefined],
  amount: ['99000000', '990001', '0990000', 990_000, undefined],
};

/** Each member with each forged value. */
const cases = (forged: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(forged).flatMap(([name, values]) =>
    values.map((value): [string, unknown] => [name, value]),
  );

test.each(cases({ ...forgedCommon, request_id: ['other', undefined], kind: ['other', undefined] }))(
  'an order with another %s is not signed: %j',
  async (name, value) => {
    const signed = await signing({ ...order, [name]: value });
    await expect(checkOrder(signed, shown, 'key')).rejects.toThrow(SignedMismatch);
  },
);

test.each(cases({ ...forgedCommon, payout_id: [4, '3', undefined], kind: ['payout-order'] }))(
  'a document with another %s is not signed: %j',
  async (name, value) => {
    const signed = await signing({ ...document, [name]: value });
    await expect(checkDocument(signed, shown, 3)).rejects.toThrow(SignedMismatch);
  },
);

test('the challenge of another text, and a text that is no object, are not signed', async () => {
  const { challenge } = await signing({ ...order, amount: '99000000' });
  const text = JSON.stringify(order);
  await expect(checkOrder({ text, challenge }, shown, 'key')).rejects.toThrow(SignedMismatch);
  await expect(checkOrder({ text, challenge: undefined }, shown, 'key')).rejects.toThrow(
    SignedMismatch,
  );
  const other = { text: JSON.stringify(document), challenge };
  await expect(checkDocument(other, shown, 3)).rejects.toThrow(SignedMismatch);
  for (const broken of ['', 'null', '3', '[]', '{'])
    await expect(checkOrder(await signing(broken), shown, 'key')).rejects.toThrow(SignedMismatch);
});

test('the coin of a network, and one of a UTXO network, are signed as shown', async () => {
  const ofCoin = { ...shown, contract: undefined };
  await checkOrder(await signing({ ...order, contract: null }), ofCoin, 'key');
  await expect(checkOrder(await signing(order), ofCoin, 'key')).rejects.toThrow(SignedMismatch);
  const ofUtxo = { ...ofCoin, chain_id: undefined, address_prefix: 'bc' };
  const utxo = { ...order, contract: null, chain_id: null, address_prefix: 'bc' };
  await checkOrder(await signing(utxo), ofUtxo, 'key');
});

test.each(['0.02', '0', '-0.01', 'x'])(
  'a fee of %s that does not add up is not signed',
  async (fee) => {
    const signed = await signing(order);
    await expect(checkOrder(signed, { ...shown, fee }, 'key')).rejects.toThrow(SignedMismatch);
  },
);

test('without decimals, or with too few of them, nothing is signed', async () => {
  const signed = await signing(document);
  for (const decimals of [undefined, 0, 1, 8])
    await expect(checkDocument(signed, { ...shown, decimals }, 3)).rejects.toThrow(SignedMismatch);
});

test.each([
  ['0.99', 6, '990000'],
  ['25.250000000000000000', 6, '25250000'],
  ['1', 0, '1'],
  ['0', 6, '0'],
  ['999999999999999999999999.000000000000000001', 18, '999999999999999999999999000000000000000001'],
  ['0.001', 2, undefined],
  ['-1', 6, undefined],
  ['1e3', 6, undefined],
  ['', 6, undefined],
])('%s with %i decimals is %s', (amount, decimals, units) => {
  expect(toTokenUnits(amount, decimals)).toBe(units);
});
