/** What a text stands for in the language of the reader: codes of bills whose names have it. */
import { businessText, counterpartyText, rewardTypeText } from '../i18n/labels.ts';
import type { Translate } from '../i18n/translate.ts';
import { includesAllWords } from '../lib/search-params.ts';
import { BUSINESS_IDS } from './bill-filter.ts';

type Find = Pick<Translate, 'find'>;

export const REWARD_TYPES = [
  'UPTIME',
  'TRAFFIC',
  'TASK',
  'REFERRAL',
  'BONUS',
  'PENALTY',
  'ADJUSTMENT',
] as const;

/** Accounts of the house, on the other side of a bill. */
export const HOUSE_ACCOUNTS = [
  'reward_pool',
  'deposit_clearing',
  'withdrawal_clearing',
  'package_sales',
  'external_sales',
  'fees',
  'treasury',
  'conversion',
  'adjustment',
] as const;

/** A person is on the other side under a number. */
function listPeople(text: string): string[] {
  const [id] = /\d+/.exec(text) ?? [];
  return id === undefined || id === text.trim() ? [] : [`user:${id}`];
}

export function findCodes(t: Find, text: string): string[] {
  const codesOf = (codes: readonly string[], nameOf: (t: Find, code: string) => string) =>
    codes.filter((code) => includesAllWords(nameOf(t, code), text));
  const found = [
    ...codesOf(BUSINESS_IDS, businessText),
    ...codesOf(REWARD_TYPES, rewardTypeText),
    ...codesOf([...HOUSE_ACCOUNTS, ...listPeople(text)], counterpartyText),
  ];
  return [...new Set(found)];
}
