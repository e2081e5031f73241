/**
 * Every refusal of the service is shown in the language of the reader, never as the text of the
 * service.
 */
import { EdgeError } from '@edge-account/sdk';
import { describe, expect, test } from 'vitest';
import { FAILURES, type FailureCode } from '../../service/src/lib/failures.ts';
import { fieldProblemText, problemText } from '../src/i18n/problem-text.ts';
import { createTranslate } from '../src/i18n/translate.ts';
import { CATALOGUES, catalogueOf } from './support/catalogues.ts';

const RAW = 'must NOT be shown';

function refusal(
  code: string,
  status: number,
  errors?: readonly { field: string; code: string }[],
): EdgeError {
  return new EdgeError({
    status,
    code,
    title: RAW,
    detail: RAW,
    ...(errors && { errors: errors.map((error) => ({ ...error, message: RAW })) }),
  });
}

describe.each([...CATALOGUES])('in %s', (language, texts) => {
  const t = createTranslate(texts, language, 'common');

  test.each(Object.keys(FAILURES) as FailureCode[])('%s has a text', (code) => {
    for (const status of [400, 401, 403, 404, 409, 412, 413, 415, 421, 429, 500, 503]) {
      const text = problemText(t, refusal(code, status));
      expect(text).not.toContain(RAW);
      expect(text).not.toContain('problem.');
      expect(/\p{Script=Han}/u.test(text)).toBe(language === 'zh');
    }
  });

  test.each([
    'minLength',
    'maxLength',
    'pattern',
    'format',
    'exclusiveMinimum',
    'enum',
    'a_code_of_tomorrow',
  ])('a field’s %s has words', (code) => {
    const beside = fieldProblemText(t, { field: 'url', code, message: RAW });
    const above = problemText(t, refusal('invalid_parameter', 400, [{ field: 'url', code }]));
    for (const text of [beside, above]) {
      expect(text).not.toContain(RAW);
      expect(/\p{Script=Han}/u.test(text)).toBe(language === 'zh');
    }
    expect(above).toContain(t('operator:webhooks.url'));
  });
});

const en = createTranslate(catalogueOf('en'), 'en', 'common');

test('problems that users meet have texts of their own', () => {
  const codes = [
    'price_too_old',
    'no_price',
    'quote_expired',
    'device_limit',
    'reauthentication_required',
    'webhook_limit',
    'linked_account_limit',
    'token_mismatch',
    'precondition_failed',
  ] as const;
  const fallback = problemText(en, refusal('of_tomorrow', 409));
  for (const code of codes) expect(problemText(en, refusal(code, 409)), code).not.toBe(fallback);
  expect(fieldProblemText(en, { field: 'name', code: 'pattern', message: RAW })).toContain(
    'cannot be seen',
  );
});

test('an overdrawn account is described as owing, not as still containing money', () => {
  const close = (owed: readonly string[]) =>
    new EdgeError({
      status: 409,
      code: 'account_not_empty',
      title: RAW,
      currencies: ['EDGE', 'USDT'],
      owed_currencies: owed,
    });
  expect(problemText(en, close(['EDGE', 'USDT']))).toMatch(/^You owe EDGE, USDT\. Pay it in/);
  expect(problemText(en, close(['USDT']))).toMatch(/^You owe USDT, and have other balances/);
  expect(problemText(createTranslate(catalogueOf('zh'), 'zh', 'common'), close(['USDT']))).toMatch(
    /^您欠 USDT/,
  );
});

test.each([
  ['not_https', 'https://'],
  ['address_refused', 'public internet'],
  ['malformed_url', 'web address'],
  ['unresolvable', 'no host'],
])('the refusal of a webhook address as %s has a reason', (code, words) => {
  expect(fieldProblemText(en, { field: 'url', code, message: RAW })).toContain(words);
});

test('a refused brand says what is not allowed, and what is', () => {
  const textOf = (field: string, code: string) =>
    fieldProblemText(en, { field, code, message: RAW });
  expect(textOf('name', 'reserved_character')).toContain('< > " \\ @');
  expect(textOf('support_url', 'malformed_url')).toMatch(/https:.*mailto:/);
});

test('for a name that is too long the text states the limit', () => {
  expect(
    problemText(en, refusal('invalid_parameter', 400, [{ field: 'nickname', code: 'length' }])),
  ).toContain('40 characters');
});
