import { queryOptions, useQuery } from '@tanstack/react-query';
import { callAsMe } from '../session/session.ts';

export interface Me {
  readonly user_id: number;
  readonly email: string;
  readonly nickname: string;
  readonly referral_code: string;
  readonly referrer_id?: number;
  readonly two_factor_methods: readonly ('EMAIL' | 'AUTHENTICATOR' | 'PASSKEY')[];
  readonly created_at: string;
}

export const meQuery = queryOptions({
  queryKey: ['security', 'me'],
  queryFn: ({ signal }) => callAsMe<Me>('GET', '/me', { signal }),
});

export function useMe() {
  return useQuery(meQuery);
}
