/** Settings of rewards, as a part of the schema of the environment variables. */
import Type from 'typebox';
import { checkUrl } from './lib/check-url.ts';

export const REWARD_SETTINGS = {
  REWARD_CURRENCY: Type.String({
    default: 'EDGE',
    pattern: '^[A-Z][A-Z0-9]{1,15}$',
    description: 'Currency that rewards are paid in.',
  }),
  REWARD_GRACE: Type.Integer({
    default: 600,
    minimum: 120,
    maximum: 86_400,
    description:
      'Time that an hour waits for late usage before it is settled. Time online of connected ' +
      'devices is written every five minutes, or twice in this time if that is more often. ' +
      'Unit: seconds.',
  }),
  REWARD_PERIOD: Type.Union([Type.Literal('hour'), Type.Literal('day')], {
    default: 'day',
    description:
      'How often rewards are paid. `day`: the hours of a UTC day have one bill for each user, ' +
      'reward type and device, after the day; until then their rewards are accrued. `hour`: each ' +
      'hour has bills of its own. A change applies to hours that are settled later.',
  }),
  REWARD_ARCHIVE_TO: Type.Optional(
    Type.String({
      description:
        'Where settlements are archived, one file for each with its lines and their traffic ' +
        'reports: `file:///DIRECTORY`, which must exist and which every instance reads. ' +
        'Absent: nowhere.',
    }),
  ),
  REWARD_KEPT_DAYS: Type.Optional(
    Type.Integer({
      minimum: 31,
      maximum: 36_500,
      description:
        'Days after which reward lines are removed from the database, once they are archived. ' +
        'Traffic reports and hours of usage stay for `TRAFFIC_REPORT_WINDOW` and a day longer. ' +
        'Absent: they are kept for ever.',
    }),
  ),
};

const DAY_S = 86_400;
/** Longer than corrections of late usage read lines for. */
const CORRECTED_DAYS = 7;

/** @param problems what is wrong is added here */
export function checkRewardSettings(
  {
    REWARD_ARCHIVE_TO,
    REWARD_KEPT_DAYS: keptDays,
    TRAFFIC_REPORT_WINDOW,
  }: {
    readonly REWARD_ARCHIVE_TO?: string | undefined;
    readonly REWARD_KEPT_DAYS?: number | undefined;
    readonly TRAFFIC_REPORT_WINDOW: number;
  },
  problems: string[],
): void {
  checkUrl('REWARD_ARCHIVE_TO', REWARD_ARCHIVE_TO, ['file:'], problems);
  if (keptDays === undefined) return;
  if (REWARD_ARCHIVE_TO === undefined)
    problems.push('REWARD_KEPT_DAYS needs REWARD_ARCHIVE_TO: only what is archived is removed');
  const days = Math.ceil(TRAFFIC_REPORT_WINDOW / DAY_S) + CORRECTED_DAYS;
  if (keptDays < days)
    problems.push(
      `REWARD_KEPT_DAYS must be ${days} at least with this TRAFFIC_REPORT_WINDOW: late reports ` +
        'correct what was settled',
    );
}
