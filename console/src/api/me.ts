import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../session/session-api.ts';

export type Me = ResponseBody<'/me', 'get'>;

export const meQuery = queryOptions({
  queryKey: ['security', 'me'],
  queryFn: ({ signal }) => unwrap(api.GET('/me', { signal })),
});

export function useMe() {
  return useQuery(meQuery);
}
