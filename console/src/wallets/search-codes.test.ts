import { describe, expect, test } from 'vitest';
import { CATALOGUES, catalogueOf } from '../../test/support/catalogues.ts';
import { createTranslate } from '../i18n/translate.ts';
import { findCodes, HOUSE_ACCOUNTS, REWARD_TYPES } from './search-codes.ts';

describe.each([...CATALOGUES])('in %s', (language, texts) => {
  const t = createTranslate(texts, language, 'wallets');

  test('every name of a type and of an account of the house is known', () => {
    expect([...REWARD_TYPES].sort()).toEqual(Object.keys(texts.shell.rewardType).sort());
    expect([...HOUSE_ACCOUNTS].sort()).toEqual(Object.keys(texts.shell.house).sort());
  });

  test('the name of a type stands for its code, a person for the number', () => {
    expect(findCodes(t, texts.shell.rewardType.UPTIME)).toContain('UPTIME');
    expect(findCodes(t, texts.shell.business.deposit)).toContain('deposit');
    expect(findCodes(t, texts.shell.house.treasury)).toContain('treasury');
    expect(findCodes(t, texts.shell.person.replace('{{id}}', '12'))).toEqual(['user:12']);
    expect(findCodes(t, '12')).toEqual([]);
  });
});

test('words may be in any order, and part of a name', () => {
  const t = createTranslate(catalogueOf('en'), 'en', 'wallets');
  expect(findCodes(t, 'reward ref')).toEqual(['referral_reward']);
  expect(findCodes(t, 'nothing of it')).toEqual([]);
});
