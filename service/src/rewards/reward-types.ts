/** The kinds of rewards. Rules may add their own. */
export const REWARD_TYPES = ['UPTIME', 'TRAFFIC', 'TASK', 'REFERRAL', 'BONUS', 'PENALTY', 'ADJUSTMENT'] as const;
