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
  return [...parts, 'security-events'].map((part) => ({
    route: `GET /operator/users/{user_id}/${part}`,
    url: `/operator/users/${userId}/${part}?current=1&size=20`,
    blocks: 1_200,
    rows: 1_000,
  }));
}
