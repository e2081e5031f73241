import type { RewardSchedule } from './queries.ts';

/** What a network pays a device for; nothing is promised where that is unknown. */
export function devicePay(
  schedule: RewardSchedule | undefined,
): 'notPaying' | 'uptime' | 'traffic' | 'nothing' {
  if (schedule?.is_paying === false) return 'notPaying';
  if (schedule?.has_uptime) return 'uptime';
  return schedule?.has_traffic ? 'traffic' : 'nothing';
}
