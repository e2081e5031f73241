/** As in `requests.ts`. */
interface SupportRequest {
  readonly route: string;
  readonly url: string;
  readonly blocks: number;
  readonly rows: number;
}

/** What support reads about one user. */
export function supportRequests(userId: number): SupportRequest[] {
  const parts = ['sessions', 'devices', 'wallets', 'team', 'referrals', 'notes'];
  const limit = { blocks: 1_200, rows: 1_000 };
  return [
    ...[...parts, 'security-events'].map((part) => ({
      route: `GET /operator/users/{user_id}/${part}`,
      url: `/operator/users/${userId}/${part}?current=1&size=20`,
      ...limit,
    })),
    ...['', '&status=in_review'].map((filter) => ({
      route: 'GET /operator/payouts',
      url: `/operator/payouts?current=1&size=20&user_id=${userId}${filter}`,
      // Those of the user are counted, of which the heaviest has a thousand.
      ...{ ...limit, rows: 3_000 },
    })),
  ];
}
