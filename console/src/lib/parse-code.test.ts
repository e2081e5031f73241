import { describe, expect, test } from 'vitest';
import {
  isCode,
  isNoCode,
  readCode,
  readRecoveryCode,
  readReferralCode,
  readUserCode,
} from './parse-code.ts';

describe('six digits are a complete code', () => {
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
    ['38 48', '3848'],
    ['٥٧٧٣٢٢', '577322'],
    ['۵۷۷۳۲۲', '577322'],
    ['५७७३२२', '577322'],
    ['\u{116da}\u{116dc}\u{116e0}𝟕𝟑𝟐', '026732'],
    ['\u2067٥٧٧ ٣٢٢\u2069', '577322'],
    ['Code 2026: 640–830', '640830'],
    ['Code 2026: 640\u202f830', '640830'],
    ['384845, once more: 384845', '384845'],
  ])('of %j is %s', (text, code) => {
    expect(readCode(text)).toBe(code);
  });

  test.each(['Ticket 123456, code 384845', 'Code 2026: 6408', 'abc', '3848a', '五七七三二二'])(
    'stays %j where it is not plain',
    (text) => {
      expect(readCode(text)).toBe(text);
      expect(isNoCode(readCode(text))).toBe(true);
    },
  );

  test('an input is incomplete while it is typed, and too long with more digits', () => {
    expect(['', '3848', '384845', readCode('123 456 789')].map(isNoCode)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(readCode('123 456 789')).toBe('123456789');
  });

  test('an input of another length is not a code', () => {
    expect(['12345', '1234567', ''].map(isCode)).toEqual([false, false, false]);
  });
});

test.each([
  ['ABCD-EFGH-2345', 'ABCD-EFGH-2345'],
  ['abcd efgh 2345', 'ABCD-EFGH-2345'],
  ['abcdefgh2345', 'ABCD-EFGH-2345'],
  ['ABCD–EFGH–٢٣٤٥', 'ABCD-EFGH-2345'],
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
  ['abcd-efgh', 'ABCDEFGH'],
  ['https://account.example/?ref=abcdefgh', 'ABCDEFGH'],
  ['https://account.example/?ref=ABCDEFGH', 'ABCDEFGH'],
  ['Join me: https://account.example/?x=1&ref=ABCDEFGH#top', 'ABCDEFGH'],
])('the referral code of %j is %s', (text, code) => {
  expect(readReferralCode(text)).toBe(code);
});
