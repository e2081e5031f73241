/**
 * Each built-in transaction type and reward type has a text, and the filter of bills offers it;
 * each reward type has a colour in the chart; those paid by hand stand in the form.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAID_BY_HAND, REWARD_TYPES } from '../../service/src/rewards/reward-types.ts';
import { openTestDatabase, RUN_ENGINES } from '../../service/test/support/databases.ts';
import { COLORED, SHARING_LAST } from '../src/home/chart-colors.ts';
import { PAID_BY_HAND as OFFERED } from '../src/operator/money/paid-by-hand.ts';
import { BUSINESS_IDS } from '../src/wallets/bill-filter.ts';
import { CATALOGUES } from './support/catalogues.ts';

test.each(RUN_ENGINES)('transaction types of a new database on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const { rows } = await database.query<{ code: string }>('select code from transaction_type');
  await database.close();
  const codes = rows.map(({ code }) => code).sort();
  expect(codes).toContain('reward');
  expect([...BUSINESS_IDS].sort()).toEqual(codes);
  for (const texts of CATALOGUES.values())
    expect(Object.keys(texts.shell.business).sort()).toEqual(codes);
});

test('reward types', () => {
  for (const texts of CATALOGUES.values())
    expect(Object.keys(texts.shell.rewardType).sort()).toEqual([...REWARD_TYPES].sort());
});

test('the form of a reward offers each type that is paid by hand', () => {
  expect([...OFFERED].sort()).toEqual([...PAID_BY_HAND].sort());
});

test('colours of reward types', () => {
  expect([...COLORED, ...SHARING_LAST].sort()).toEqual([...REWARD_TYPES].sort());
  const styles = readFileSync(new URL('../src/theme/global.css', import.meta.url), 'utf8');
  const styled = [...styles.matchAll(/\[data-color='(\d+)'\]/g)].map(([, at]) => Number(at));
  expect(styled).toEqual([...COLORED.keys()]);
});

test('the guide and the description of the API name each reward type', () => {
  const page = readFileSync(new URL('../../docs/guides/pay-rewards.md', import.meta.url), 'utf8');
  const schemas = new URL('../../service/src/dashboard/schemas.ts', import.meta.url);
  const description = readFileSync(schemas, 'utf8');
  for (const type of REWARD_TYPES) {
    expect(page).toContain(`\`${type}\``);
    expect(description).toContain(type);
  }
});
