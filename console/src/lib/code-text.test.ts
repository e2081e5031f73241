import { describe, expect, test } from 'vitest';
import { isCode, readCode, readRecoveryCode, readReferralCode, readUserCode } from './code-text.ts';

describe('a code of six digits', () => {
  test.each([
    ['384845', '384845'],
    [' 384 845 ', '384845'],
    ['384-845', '384845'],
    ['３８４８４５', '384845'],
    ['Your code: 384845', '384845'],
    ['Your code:\n\n384845\n\nIt is valid for 10 minutes.', '384845'],
    ['Valid for 10 minutes: 384845.', '384845'],
    ['On 2026-11-20 your code was 384845', '384845'],
    ['3848', '3848'],
  ])('of %j is %s', (text, code) => {
    expect(readCode(text)).toBe(code);
  });

  test('is none with another length', () => {
    expect(['12345', '1234567', ''].map(isCode)).toEqual([false, false, false]);
  });
});

test.each([
  ['ABCD-EFGH-2345', 'ABCD-EFGH-2345'],
  ['abcd efgh 2345', 'ABCD-EFGH-2345'],
  ['abcdefgh2345', 'ABCD-EFGH-2345'],
  ['abc', undefined],
  ['ABCD-EFGH-2345-6789', undefined],
])('the recovery code of %j is %s', (text, code) => {
  expect(readRecoveryCode(text)).toBe(code);
});

test.each([
  ['WDJB-MJHT', 'WDJBMJHT'],
  ['wdjbmjht', 'WDJBMJHT'],
  ['wdjb mjht', 'WDJBMJHT'],
  ['WDJB\u2011MJHT', 'WDJBMJHT'],
  ['Enter this code there: WDJB-MJHT', 'WDJBMJHT'],
  ['https://account.example/device?user_code=WDJB-MJHT&x=1', 'WDJBMJHT'],
  ['Enter this code there', undefined],
  ['WDJB-MJ', undefined],
])('the device code of %j is %s', (text, code) => {
  expect(readUserCode(text)).toBe(code);
});

test.each([
  ['ABCDEFGH', 'ABCDEFGH'],
  [' ABCDEFGH ', 'ABCDEFGH'],
  ['https://account.example/?ref=ABCDEFGH', 'ABCDEFGH'],
  ['Join me: https://account.example/?x=1&ref=ABCDEFGH#top', 'ABCDEFGH'],
])('the referral code of %j is %s', (text, code) => {
  expect(readReferralCode(text)).toBe(code);
});
