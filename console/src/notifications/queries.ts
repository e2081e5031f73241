import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../session/session-api.ts';

type NotificationPage = ResponseBody<'/me/notifications', 'get'>;
export type Notification = NotificationPage['records'][number];
export type Preferences = ResponseBody<'/me/notification-preferences', 'get'>;

const SIZE = 20;
const UNREAD_KEY = ['notifications', 'unread'] as const;

/** How many are unread. */
export const unreadQuery = queryOptions({
  queryKey: UNREAD_KEY,
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET('/me/notifications', { signal, params: { query: { size: 1 } } }))).unread,
});

/** Page after page, newest first. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications', 'list'],
  queryFn: ({ signal, pageParam: before }) => {
    const query = { size: SIZE, ...(before !== undefined && { before }) };
    return unwrap(api.GET('/me/notifications', { signal, params: { query } }));
  },
  initialPageParam: undefined as number | undefined,
  getNextPageParam: ({ next }: NotificationPage) => next,
});

export const preferencesQuery = queryOptions({
  queryKey: ['notifications', 'preferences'],
  queryFn: ({ signal }) => unwrap(api.GET('/me/notification-preferences', { signal })),
});

export type Browsers = ResponseBody<'/me/push-subscriptions', 'get'>;

export const browsersQuery = queryOptions({
  queryKey: ['notifications', 'browsers'],
  queryFn: ({ signal }) => unwrap(api.GET('/me/push-subscriptions', { signal })),
});

export const savePreferences = (body: Preferences): Promise<Preferences> =>
  unwrap(api.PUT('/me/notification-preferences', { body }));

/** Marks all up to one as read. What is in sight stays marked as new until it is fetched again. */
export async function markRead(client: QueryClient, upTo: number): Promise<void> {
  const { unread } = await unwrap(api.POST('/me/notifications/read', { body: { up_to: upTo } }));
  client.setQueryData(UNREAD_KEY, unread);
}
