import { todayUtc } from '../lib/time-text.ts';

const MONTHS_MAX = 36;

/** UTC months, `yyyy-MM`, newest first: from this one back to the first of the account. */
export function listMonths(createdAt: string | undefined, today = todayUtc()): string[] {
  const first = (createdAt ?? today).slice(0, 7);
  const [year = 0, month = 1] = today.split('-').map(Number);
  return Array.from({ length: MONTHS_MAX }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  ).filter((name) => name >= first);
}
