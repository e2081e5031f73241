/** Rules to begin with: whole amounts, which every reward currency can pay. */
import type { Rules } from './rules-fields.ts';

/** The figures, as the page says them. */
export const EXAMPLE_VALUES = { uptime: '1', traffic: '2', percent: '10', hours: 24 } as const;

export const EXAMPLE: Rules = {
  uptime: { amount: EXAMPLE_VALUES.uptime },
  traffic: [{ category: '*', amount: EXAMPLE_VALUES.traffic }],
  referral: [
    {
      percent: EXAMPLE_VALUES.percent,
      uptime_hours: EXAMPLE_VALUES.hours,
      distinct_addresses: 1,
    },
  ],
};
