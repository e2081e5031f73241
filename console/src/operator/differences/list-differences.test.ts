import { expect, test } from 'vitest';
import { listDifferences, SECRET } from './list-differences.ts';

test('a change of columns is one difference each', () => {
  expect(
    listDifferences(
      { status: 'active', groups: [], note: null },
      { status: 'disabled', groups: ['staff', 'eu'], note: 'x' },
    ),
  ).toEqual([
    { path: 'groups', before: undefined, after: 'staff, eu' },
    { path: 'note', before: undefined, after: 'x' },
    { path: 'status', before: 'active', after: 'disabled' },
  ]);
});

test('a decimal has all its digits, without zeros at the end', () => {
  expect(
    listDifferences(
      { price: '0.182500000000000000000000000000', version: '1.10' },
      { price: '0.123456789012345678000000000000', version: '1.100' },
    ),
  ).toEqual([
    { path: 'price', before: '0.1825', after: '0.123456789012345678' },
    { path: 'version', before: '1.10', after: '1.100' },
  ]);
});

test('within a column only the values that differ are shown, also within JSON text', () => {
  const rule = { currency: 'ETH', fee: '0.01' };
  expect(
    listDifferences(
      { policy: { rules: [rule], age: 30 }, body: '{"uptime":{"amount":"0.5"},"traffic":[]}' },
      {
        policy: { rules: [{ ...rule, fee: '0.02' }, { currency: 'BTC' }], age: 30 },
        body: '{"uptime":{"amount":"0.75"},"traffic":[]}',
      },
    ),
  ).toEqual([
    { path: 'body.uptime.amount', before: '0.5', after: '0.75' },
    { path: 'policy.rules.1.fee', before: '0.01', after: '0.02' },
    { path: 'policy.rules.2.currency', before: undefined, after: 'BTC' },
  ]);
});

test('what is added or removed has one side; a secret has what the service says of it', () => {
  expect(listDifferences(undefined, { name: 'Fleet', secret_hash: SECRET })).toEqual([
    { path: 'name', before: undefined, after: 'Fleet' },
    { path: 'secret_hash', before: undefined, after: SECRET },
  ]);
  expect(listDifferences({ secret_hash: SECRET }, { secret_hash: SECRET })).toEqual([
    { path: 'secret_hash', before: SECRET, after: SECRET },
  ]);
  expect(listDifferences({ text: '[no JSON' })).toEqual([
    { path: 'text', before: '[no JSON', after: undefined },
  ]);
  expect(listDifferences()).toEqual([]);
});
