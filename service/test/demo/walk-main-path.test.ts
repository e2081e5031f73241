import { expect, test } from 'vitest';
import { hasSameMoney } from './walk-main-path.ts';

const VIEWS = { bonusInfo: '{"balance":1.5}', bonusBills: '{"total":1}', networkRewards: '[]' };
const TODAY = '[{"currency":"EDGE","amount":1.5}]';

const read = (total: string, today: string, yesterday: string) => ({
  ...VIEWS,
  overview:
    `{"total_earnings":[{"currency":"EDGE","amount":${total}}],` +
    `"yesterday_earnings":${yesterday},"today_earnings":${today},"accrued":[]}`,
});

test('a day that begins between two reads changes nothing, an amount does', () => {
  const before = read('1.5', TODAY, '[]');
  expect(hasSameMoney(before, read('1.5', '[]', TODAY))).toBe(true);
  expect(hasSameMoney(before, read('1.6', TODAY, '[]'))).toBe(false);
  expect(hasSameMoney(before, { ...before, bonusInfo: '{"balance":1.4}' })).toBe(false);
});
