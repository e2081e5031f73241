/** The next version of the payout policy, from the one before and one change. */
import type { PayoutPolicy, PolicyOrder, PolicyRule } from './queries.ts';

export const AMOUNT_NAMES = [
  'fee',
  'minimum',
  'person_day_max',
  'day_max',
  'email_only_day_max',
  'automatic_max',
  'four_eyes_above',
] as const satisfies readonly (keyof PolicyRule)[];

export type AmountName = (typeof AMOUNT_NAMES)[number];

/** How old an account is that the policy approves, before an operator decides otherwise. */
const AGE_DAYS_DEFAULT = 30;

/** The content of a version, without its number and author. */
export function toOrder(policy: PayoutPolicy | undefined): PolicyOrder {
  const { rules = [], automatic_age_days = AGE_DAYS_DEFAULT, sanctions_url } = policy ?? {};
  const { reviews_new_address = policy === undefined } = policy ?? {};
  return {
    rules: [...rules],
    automatic_age_days,
    reviews_new_address,
    ...(sanctions_url !== undefined && { sanctions_url }),
  };
}

/** The order with one rule in the place of another; without one it is added, or only removed. */
export function replaceRule(
  order: PolicyOrder,
  before: PolicyRule | undefined,
  after?: PolicyRule,
): PolicyOrder {
  const isBefore = (rule: { currency: string; network: string }): boolean =>
    rule.currency === before?.currency && rule.network === before.network;
  const kept = order.rules.flatMap((rule) => (isBefore(rule) ? (after ? [after] : []) : [rule]));
  return { ...order, rules: before || !after ? kept : [...kept, after] };
}
