/** Reads of single transfers, and of the house by days, by operators. */

/** As in `requests.ts`. */
interface LedgerRequest {
  readonly route: string;
  readonly url: string;
  readonly blocks: number;
  readonly rows: number;
}

/** Each of 16 shards: a binary search for the ends of 31 days, and the last bill before each. */
const OF_DAYS = { blocks: 100_000, rows: 200_000 };

export function ledgerRequests(beginDay: string, endDay: string): LedgerRequest[] {
  return [
    ...['', `&beginTime=${beginDay}`, `&endTime=${endDay}`].map((days) => ({
      route: 'GET /operator/statements/days',
      url: `/operator/statements/days?house=reward_pool&currency=EDGE${days}`,
      ...OF_DAYS,
    })),
    { route: 'GET /operator/transfers/{id}', url: '/operator/transfers/1', blocks: 120, rows: 120 },
  ];
}
