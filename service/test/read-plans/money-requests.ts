/** Lists of transfers, open holds and purchases, by operators. */

/** As in `requests.ts`. */
interface MoneyRequest {
  readonly route: string;
  readonly url: string;
  readonly blocks: number;
  readonly rows: number;
}

const get = (
  path: string,
  queries: readonly string[],
  limit: Pick<MoneyRequest, 'blocks' | 'rows'>,
): MoneyRequest[] =>
  queries.map((query) => ({ route: `GET ${path}`, url: `${path}?${query}`, ...limit }));

const ALL_SHARDS = Array.from({ length: 16 }, (_, shard) => `${shard}.900`).join('-');

export function moneyRequests(userId: number, now: Date): MoneyRequest[] {
  return [
    // A page of each of 16 shards at most, then the transfers of the page.
    ...get(
      '/operator/transfers',
      ['size=20', `size=20&cursor=${ALL_SHARDS}`, 'size=20&house=reward_pool'],
      { blocks: 3_000, rows: 1_000 },
    ),
    ...get('/operator/transfers', [`size=20&user_id=${userId}`], { blocks: 700, rows: 300 }),
    ...get('/operator/holds', ['size=20', `size=20&cursor=${now.getTime()}-5000`], {
      blocks: 400,
      rows: 300,
    }),
    ...get('/operator/purchases', ['size=20', 'size=20&cursor=500', `user_id=${userId}`], {
      blocks: 60,
      rows: 60,
    }),
  ];
}
