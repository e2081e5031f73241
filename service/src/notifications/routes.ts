/** `/me/notifications`, `/me/notification-preferences` */
import type { Database } from '../db/index.ts';
import { callingUserId, type HttpServer } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { readLanguage } from '../lib/language.ts';
import { OWN } from './access.ts';
import { listNotifications } from './list-notifications.ts';
import { operations } from './operations.ts';
import { readPreferences, replacePreferences } from './preferences.ts';
import { readNotifications } from './read-notifications.ts';
import {
  NotificationPage,
  NotificationPreferences,
  NotificationsQuery,
  PreferencesBody,
  ReadBody,
  UnreadCount,
} from './schemas.ts';

export interface NotificationRoutes {
  readonly database: Database;
  readonly clock: Clock;
}

function registerPreferences(app: HttpServer, database: Database): void {
  app.get(
    '/me/notification-preferences',
    {
      config: OWN,
      schema: {
        ...operations.getNotificationPreferences,
        response: { 200: NotificationPreferences },
      },
    },
    async (request) => readPreferences(database, callingUserId(request)),
  );
  app.put(
    '/me/notification-preferences',
    {
      config: OWN,
      schema: {
        ...operations.putNotificationPreferences,
        body: PreferencesBody,
        response: { 200: NotificationPreferences },
      },
    },
    async (request) =>
      replacePreferences(database, callingUserId(request), {
        language: readLanguage(request.headers['accept-language']),
        ...request.body,
      }),
  );
}

export function registerRoutes(app: HttpServer, { database, clock }: NotificationRoutes): void {
  app.get(
    '/me/notifications',
    {
      config: { ...OWN, readsFrom: 'standby' },
      schema: {
        ...operations.listNotifications,
        querystring: NotificationsQuery,
        response: { 200: NotificationPage },
      },
    },
    async (request) => listNotifications(database, callingUserId(request), request.query),
  );
  app.post(
    '/me/notifications/read',
    {
      config: OWN,
      schema: { ...operations.readNotifications, body: ReadBody, response: { 200: UnreadCount } },
    },
    async (request) => ({
      unread: await readNotifications(database, clock, callingUserId(request), request.body),
    }),
  );
  registerPreferences(app, database);
}
