import { expect, test } from 'vitest';
import {
  exactAmount,
  exactGigabytes,
  isStorableText,
  parseExact,
  stringifyExact,
  toPlainText,
} from './exact-json.ts';

const body = { amount: exactAmount(123_456_789_012_345_678_901_234_567_890n, 18), id: 7 };

test('an amount is printed digit by digit, as a number or as a string', () => {
  const text = '123456789012.34567890123456789';
  expect(stringifyExact(body)).toBe(`{"amount":${text},"id":7}`);
  expect(stringifyExact([body], true)).toBe(`[{"amount":"${text}","id":7}]`);
  expect(toPlainText(body.amount)).toBe(text);
  expect([7, true, 'text'].map(toPlainText)).toEqual(['7', 'true', 'text']);
});

test('bytes are exact gigabytes', () => {
  expect(
    stringifyExact([exactGigabytes(1n), exactGigabytes(2_500_000_000n), exactGigabytes(0n)]),
  ).toBe('[0.000000001,2.5,0]');
});

test('money fields of a body keep their digits; other numbers stay numbers', () => {
  expect(
    parseExact('{"amount":1.10,"items":[{"price":1e5,"amount":9007199254740993}],"user_id":12}'),
  ).toEqual({
    amount: '1.10',
    items: [{ price: '1e5', amount: '9007199254740993' }],
    user_id: 12,
  });
});

test.each([
  '{"__proto__":{"x":1}}',
  '{"a":{"constructor":{"prototype":{}}}}',
  '{"a":',
  '\u0000',
  '{"a\\u0000":1}',
])('refuses %j', (text) => {
  expect(() => parseExact(text)).toThrow();
});

test('NUL and lone surrogates cannot be stored', () => {
  expect(() => parseExact('{"name":"a\\u0000"}')).toThrow(/NUL/);
  expect(() => parseExact('{"name":"\\ud800"}')).toThrow(/surrogate/);
  expect(isStorableText('née 😀')).toBe(true);
});

test.each([
  ['{"a":{"b":1,"c":2,"b":1}}', 'b'],
  ['{"amount":1,"\\u0061mount":2}', 'amount'],
])('%s is refused, and the member named', (text, field) => {
  expect(() => parseExact(text)).toThrow(
    expect.objectContaining({
      code: 'malformed_body',
      details: expect.objectContaining({
        fields: [expect.objectContaining({ field, code: 'repeated' })],
      }),
    }),
  );
});

test('a body is nested 32 levels at most', () => {
  expect(parseExact(`${'['.repeat(32)}${']'.repeat(32)}`)).toBeDefined();
  expect(() => parseExact(`${'['.repeat(33)}${']'.repeat(33)}`)).toThrow(
    expect.objectContaining({ code: 'malformed_body' }),
  );
});
