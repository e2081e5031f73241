/** Each built-in transaction type and reward type has a text, and the filter of bills offers it. */
import { expect, test } from 'vitest';
import { REWARD_TYPES } from '../../service/src/rewards/reward-types.ts';
import { openTestDatabase, RUN_ENGINES } from '../../service/test/support/databases.ts';
import * as english from '../src/i18n/en/shell.ts';
import * as chinese from '../src/i18n/zh/shell.ts';
import { BUSINESS_IDS } from '../src/wallets/bill-filter.ts';

test.each(RUN_ENGINES)('transaction types of a new database on %s', async (engine) => {
  const database = await openTestDatabase(engine);
  const { rows } = await database.query<{ code: string }>('select code from transaction_type');
  await database.close();
  const codes = rows.map(({ code }) => code).sort();
  expect(codes).toContain('reward');
  expect([...BUSINESS_IDS].sort()).toEqual(codes);
  for (const texts of [english, chinese])
    expect(Object.keys(texts.shell.business).sort()).toEqual(codes);
});

test('reward types', () => {
  for (const texts of [english, chinese])
    expect(Object.keys(texts.shell.rewardType).sort()).toEqual([...REWARD_TYPES].sort());
});
