/**
 * Coded messages of the service are shown in the language of the reader, with numbers in its
 * format.
 */
import { describe, expect, test } from 'vitest';
import { CHAIN_NOTES, HALT_REASONS } from '../../service/src/deposits/chain-reasons.ts';
import { DEPOSIT_REASONS } from '../../service/src/deposits/deposit-reasons.ts';
import { REFUSAL_REASONS } from '../../service/src/devices/refusal-reasons.ts';
import { DELIVERY_ERRORS } from '../../service/src/events/webhooks/delivery-errors.ts';
import { PAYOUT_REASONS } from '../../service/src/payouts/schemas.ts';
import { payoutStateText } from '../src/i18n/labels.ts';
import {
  chainNoteText,
  deliveryText,
  depositReasonText,
  haltText,
  refusedReportText,
  spanText,
} from '../src/i18n/message-code-text.ts';
import { createTranslate } from '../src/i18n/translate.ts';
import { CATALOGUES, catalogueOf } from './support/catalogues.ts';

/** Of payouts that have ended: none waits for them. */
const ENDED = new Set<string>([
  ...['deep_enough', 'reverted', 'nonce_used', 'cancelled_by_user', 'rejected_by_operator'],
  ...['mismatch_accepted', 'mismatch_refunded'],
]);

const RAW = 'must NOT be shown';

/** A sample for each value that the sentence of a code contains. */
function valuesFor(texts: Readonly<Record<string, string>>, code: string): Record<string, string> {
  return Object.fromEntries(
    [...(texts[code] ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '604800']),
  );
}

describe.each([...CATALOGUES])('in %s', (language, texts) => {
  const t = createTranslate(texts, language, 'common');

  function expectWords(text: string | undefined): void {
    expect(text).toBeTruthy();
    expect(text).not.toContain(RAW);
    expect(text).not.toMatch(/\{\{|\w\.\w+_\w/);
    expect(/\p{Script=Han}/u.test(text ?? '')).toBe(language === 'zh');
  }

  test.each(Object.keys(REFUSAL_REASONS.texts))('a report that was refused for %s', (code) => {
    expectWords(
      refusedReportText(t, {
        reason: RAW,
        reason_code: code,
        reason_values: valuesFor(REFUSAL_REASONS.texts, code),
      }),
    );
  });

  test.each([...PAYOUT_REASONS, 'currency_stopped'].filter((code) => !ENDED.has(code)))(
    'payouts that wait: %s',
    (code) => {
      const text = payoutStateText(t, code);
      expectWords(text);
      // A label, no sentence.
      expect(text).not.toMatch(/[.。]$/);
      expect(text.length).toBeLessThan(30);
    },
  );

  test.each(Object.keys(DEPOSIT_REASONS.texts))('a deposit with %s', (code) => {
    expectWords(
      depositReasonText(t, {
        status: 'on_hold',
        reason: RAW,
        reason_code: code,
        reason_values: valuesFor(DEPOSIT_REASONS.texts, code),
      }),
    );
  });

  test.each(Object.keys(DELIVERY_ERRORS.texts))('a message with %s', (code) => {
    expectWords(deliveryText(t, RAW, code, valuesFor(DELIVERY_ERRORS.texts, code)));
  });

  test.each(Object.keys(HALT_REASONS.texts))('a network that is halted by %s', (code) => {
    expectWords(
      haltText(t, {
        halted_reason: RAW,
        halted_reason_code: code,
        halted_reason_values: valuesFor(HALT_REASONS.texts, code),
      }),
    );
  });

  test.each(Object.keys(CHAIN_NOTES.texts))('a network that waits for %s', (code) => {
    expectWords(chainNoteText(t, RAW, code, valuesFor(CHAIN_NOTES.texts, code)));
  });

  test('an unknown failure of a node is quoted', () => {
    expect(chainNoteText(t, 'socket hang up', undefined, undefined)).toMatch(
      /\p{L}.*“socket hang up”$/u,
    );
  });

  test('the remark of an operator about a deposit is shown unchanged', () => {
    for (const status of ['on_hold', 'rejected'])
      expectWords(depositReasonText(t, { status, reason: RAW }));
  });
});

const en = createTranslate(catalogueOf('en'), 'en', 'common');
const zh = createTranslate(catalogueOf('zh'), 'zh', 'common');

test('durations are shown in the largest whole unit', () => {
  expect(
    [604_800, 86_400, 90_000, 3600, 300, 90, 5].map((seconds) => spanText(en, seconds)),
  ).toEqual(['7 days', '1 day', '25 hours', '1 hour', '5 minutes', '90 seconds', '5 seconds']);
  expect(spanText(zh, 604_800)).toBe('7 天');
});

test('numbers are formatted for the language of the reader', () => {
  const late = { reason: RAW, reason_code: 'too_late', reason_values: { seconds: '604800' } };
  expect(refusedReportText(en, late)).toBe('The relay sent it more than 7 days after it had ended');
  expect(refusedReportText(zh, late)).toBe('中继节点在时段结束 7 天后才上报');
  const small = {
    status: 'below_minimum',
    reason: RAW,
    reason_code: 'below_minimum',
    reason_values: { amount: '1000.5', currency: 'USDT' },
  };
  expect(depositReasonText(en, small)).toContain('1,000.50\u00a0USDT');
  expect(deliveryText(en, RAW, 'timeout', { milliseconds: '5000' })).toBe(
    'no answer within 5 seconds',
  );
  expect(deliveryText(en, RAW, 'answer_too_large', { bytes: '65536' })).toBe(
    'the answer is larger than 64\u00a0KB',
  );
});

test('a reversal is described as such, and without a reason nothing is shown', () => {
  const replaced = { reason: RAW, reason_code: 'block_replaced' };
  expect(depositReasonText(en, { ...replaced, status: 'reversed' })).toContain('reversed');
  expect(depositReasonText(en, { ...replaced, status: 'orphaned' })).not.toContain('reversed');
  expect(depositReasonText(en, { status: 'confirming' })).toBeUndefined();
});
