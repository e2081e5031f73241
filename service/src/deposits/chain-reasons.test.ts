import { expect, test } from 'vitest';
import { CHAIN_NOTES } from './chain-reasons.ts';
import { malformed, RpcError } from './chains/json-rpc.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';

test('an error of an endpoint is a message with a code and a sentence', () => {
  const error = new RpcError(
    'refused',
    NODE_ERRORS.create('refused', { method: 'eth_call', words: 'a: b' }),
  );
  expect(error.reason).toEqual({ code: 'refused', values: { method: 'eth_call', words: 'a: b' } });
  expect(error.message).toBe('eth_call was refused: a: b');
  expect(CHAIN_NOTES.format(error.reason)).toBe(error.message);
});

test('an invalid field is named, and its value is truncated', () => {
  expect(malformed('block.hash', undefined).reason).toEqual({
    code: 'field_missing',
    values: { field: 'block.hash' },
  });
  expect(malformed('block.hash', null).reason).toEqual({
    code: 'field_malformed',
    values: { field: 'block.hash', value: 'null' },
  });
  expect(malformed('logs', 'x'.repeat(1000)).message.length).toBeLessThan(150);
});
