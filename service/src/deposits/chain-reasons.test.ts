import { expect, test } from 'vitest';
import { CHAIN_NOTES } from './chain-reasons.ts';
import { malformed } from './chains/json-rpc.ts';

/** Something for each value that a sentence names: a value may hold what other sentences are made of. */
function fill(text: string, value: string): { sentence: string; values: Record<string, string> } {
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    sentence: text.replaceAll(/\{\w+\}/g, value),
    values: Object.fromEntries(names.map((name) => [name, value])),
  };
}

test.each(Object.entries(CHAIN_NOTES.texts))('%s is read back with what it names', (code, text) => {
  const { sentence, values } = fill(text, '1024');
  expect(CHAIN_NOTES.read(sentence)).toEqual({ code, values });
});

test.each([
  'execution reverted: a: b',
  'block 5 does not follow block 4',
  'no connection',
  'it is "late"',
  'x: no answer in time',
])('what a node says in refusing stays a quotation: %s', (words) => {
  const sentence = CHAIN_NOTES.say('refused', { method: 'eth_call', words });
  expect(CHAIN_NOTES.read(sentence)).toEqual({
    code: 'refused',
    values: { method: 'eth_call', words },
  });
});

test('a field that is not what it should be is named, and what stands in it is cut', () => {
  expect(CHAIN_NOTES.read(malformed('block.hash', undefined).message)).toEqual({
    code: 'field_missing',
    values: { field: 'block.hash' },
  });
  expect(CHAIN_NOTES.read(malformed('block.hash', null).message)).toEqual({
    code: 'field_malformed',
    values: { field: 'block.hash', value: 'null' },
  });
  expect(malformed('logs', 'x'.repeat(1000)).message.length).toBeLessThan(150);
});
