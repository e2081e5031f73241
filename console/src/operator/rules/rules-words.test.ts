import { expect, test } from 'vitest';
import { CATALOGUES } from '../../../test/support/catalogues.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { listDifferences, type Values } from '../differences/list-differences.ts';
import type { Rules } from './rules-fields.ts';
import { paymentTexts, rulesFieldText } from './rules-words.ts';

const RULES: Rules = {
  uptime: { amount: '0.5' },
  traffic: [
    { category: 'video', amount: '0.7' },
    { category: '*', amount: '0.35' },
  ],
  referral: [{ percent: '10', uptime_hours: 24, distinct_addresses: 1 }],
  campaigns: [
    {
      name: 'Winter',
      percent: '5',
      from: '2026-12-01T00:00:00Z',
      before: '2027-01-01T00:00:00Z',
      device_type: 'TERMINAL',
    },
  ],
  penalty: { amount: '1' },
  limits: { devices_per_user: 100, devices_per_address: 3, gb_per_device_hour: 50 },
};

test.each([...CATALOGUES])('in %s each value of rules has words', (language, texts) => {
  const t = createTranslate(texts, language, 'operator');
  const paths = listDifferences({}, RULES as Values).map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((path) => !rulesFieldText(t, path, 'EDGE'))).toEqual([]);
});

test('what has no words keeps its path, and what pays is said', () => {
  const texts = CATALOGUES.get('en');
  if (!texts) throw new Error('there is no English');
  const t = createTranslate(texts, 'en', 'operator');
  const nameOf = (path: string) => rulesFieldText(t, path, 'EDGE');
  expect(nameOf('referral.2.distinct_addresses')).toBe('Referrals 2 · Own addresses');
  expect(nameOf('uptime.amount')).toBe('Reward for an hour online (EDGE)');
  expect(nameOf('traffic.1.amount')).toBe('Traffic 1 · Reward per GB (EDGE)');
  expect(nameOf('new.1.thing')).toBeUndefined();
  expect(nameOf('body')).toBeUndefined();
  expect(paymentTexts(t, RULES, 'EDGE')).toEqual([
    '0.5 EDGE for each hour online',
    'Video: 0.7 EDGE for each GB',
    '0.35 EDGE for each GB',
    '10 percent to referral level 1',
    '1 campaign',
    '1 EDGE taken for each implausible report',
  ]);
  expect(paymentTexts(t, {}, 'EDGE')).toEqual(['Pays nothing']);
});
