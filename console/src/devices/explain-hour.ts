/** Why a device earned what it did in an hour. */
import { toUnits } from '../lib/money-text.ts';
import type { RefusedReport, RewardLine } from './queries.ts';
import { endOf, type Hour } from './uptime.ts';

/** Codes of the settlement that the texts explain (`devices.whyNot`). */
export const REASONS = [
  'not_online',
  'no_rate',
  'too_small',
  'amount_too_large',
  'account_not_active',
  'limit_gb_per_device',
  'limit_devices_per_address',
  'limit_devices_per_user',
] as const;
export type Reason = (typeof REASONS)[number];

/** What else an hour without an amount can be. */
export type Outcome =
  | 'before'
  | 'running'
  | 'notPaying'
  | 'unsettled'
  | 'offline'
  | 'noTraffic'
  | 'nothing';

export interface Schedule {
  readonly is_paying: boolean;
  readonly has_uptime: boolean;
  readonly has_traffic: boolean;
  readonly settled_until?: string;
}

const isReason = (code: string): code is Reason => REASONS.some((reason) => reason === code);

/** The lines of the hour that paid, or took, an amount. */
export function listPaid(lines: readonly RewardLine[], { iso }: Hour): readonly RewardLine[] {
  return lines.filter(({ hour, amount }) => hour === iso && toUnits(amount) !== 0n);
}

/** Why lines of the hour were limited or not paid; codes without a text as they are. */
export function listReasons(
  lines: readonly RewardLine[],
  { iso }: Hour,
): readonly { type: string; code: string; known: Reason | undefined }[] {
  return lines.flatMap(({ hour, reward_type: type, reason: code }) =>
    hour !== iso || code === undefined
      ? []
      : [{ type, code, known: isReason(code) ? code : undefined }],
  );
}

/**
 * Reports about a part of the hour that do not count. One that is at fault may cover no time; it
 * belongs to the hour in which it begins.
 */
export function listRefused(
  reports: readonly RefusedReport[],
  { iso }: Hour,
): readonly RefusedReport[] {
  const [start, end] = [Date.parse(iso), Date.parse(endOf(iso))];
  return reports.filter(({ from, to = from }) => {
    if (from === undefined || to === undefined) return false;
    const begin = Date.parse(from);
    return begin < end && (begin >= start || Date.parse(to) > start);
  });
}

/** True where the rules pay for traffic alone, and none that counts was reported. */
const hasOnlyMissed = ({ has_uptime, has_traffic }: Schedule, usage: Hour['usage']): boolean =>
  has_traffic && !has_uptime && (usage?.bytes_up ?? 0) + (usage?.bytes_down ?? 0) === 0;

/** Of an hour without a line, by the rules of now. */
export function explainAbsence(
  { iso, isCounted, usage }: Hour,
  schedule: Schedule,
  createdAt: string,
): Outcome {
  if (!isCounted) return endOf(iso) <= createdAt ? 'before' : 'running';
  if (!schedule.is_paying) return 'notPaying';
  if (schedule.settled_until === undefined || iso >= schedule.settled_until) return 'unsettled';
  if ((usage?.online_seconds ?? 0) === 0) return 'offline';
  return hasOnlyMissed(schedule, usage) ? 'noTraffic' : 'nothing';
}
