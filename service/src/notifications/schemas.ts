/** Notifications and preferences on the wire. */
import Type, { type Static, type TBoolean } from 'typebox';
import { Id, StringEnum, Timestamp } from '../http/index.ts';
import { LANGUAGES } from '../lib/language.ts';
import {
  CHANNELS,
  type Channel,
  CODES,
  DIGESTS,
  KINDS,
  type Kind,
  OFFLINE_MINUTES,
} from './kinds.ts';

const WHERE: Readonly<Record<Channel, string>> = {
  bell: 'In the list of `GET /me/notifications`.',
  mail: 'By mail, several in one as `digest` says.',
  push: 'In the browsers of `GET /me/push-subscriptions`, by Web Push.',
};

const ABOUT: Readonly<Record<Kind, string>> = {
  device_offline: 'A device was not heard for `offline_minutes`.',
  deposit: 'A deposit was credited, held back or reversed.',
  payout: 'A payout arrived, was rejected or failed.',
  sign_in: 'A sign-in from an address from which there was none in the last 90 days.',
  reward_day: 'What a UTC day has earned in the reward currency, once its last hour was paid.',
};

const LISTED_CODES = Object.entries<readonly string[]>(CODES)
  .map(([code, details]) => (details.length === 0 ? code : `${code} (${details.join(', ')})`))
  .join('; ');

export const NotificationRecord = Type.Object(
  {
    id: Id('Greater for what was added later.'),
    kind: StringEnum(KINDS, 'What it is about. More may be added.'),
    code: Type.String({
      description: `Stable code, with its details: ${LISTED_CODES}. More may be added.`,
    }),
    details: Type.Record(Type.String(), Type.String(), {
      description:
        'Values of the message by name. Amounts are plain decimals; `since` is a time and `day` ' +
        'a UTC day, as elsewhere in the API.',
    }),
    created_at: Timestamp('When it happened; of a device, when it was found to be offline.'),
    is_read: Type.Boolean({ description: 'Whether it was marked as read.' }),
  },
  { $id: 'Notification', description: 'A message to a user, to be put into words by its reader.' },
);
export type NotificationRecord = Static<typeof NotificationRecord>;

export const NotificationsQuery = Type.Object({
  before: Type.Optional(Id('Only older ones: `next` of the page before.')),
  size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, description: 'At most, 1 to 50. Default: 20.' }),
  ),
});
export type NotificationsQuery = Static<typeof NotificationsQuery>;

const unread = Type.Integer({ minimum: 0, description: 'How many of all are unread.' });

export const NotificationPage = Type.Object(
  {
    records: Type.Array(NotificationRecord, { description: 'Newest first.' }),
    unread,
    next: Type.Optional(Id('`before` of the next page. Absent: there is none.')),
  },
  {
    $id: 'NotificationPage',
    description:
      'The newest notifications, 200 at most, for 90 days unless the operator chose another time.',
  },
);
export type NotificationPage = Static<typeof NotificationPage>;

/** Ids in one request. */
export const READ_IDS_MAX = 100;

export const ReadBody = Type.Object(
  {
    up_to: Type.Optional(Id('All up to this one.')),
    ids: Type.Optional(
      Type.Array(Id('One of them.'), {
        minItems: 1,
        maxItems: READ_IDS_MAX,
        description: `Single ones, ${READ_IDS_MAX} at most. Others than the caller’s are ignored.`,
      }),
    ),
  },
  { additionalProperties: false, description: 'Either `up_to` or `ids`.' },
);
export type ReadBody = Static<typeof ReadBody>;

export const UnreadCount = Type.Object(
  { unread },
  { $id: 'UnreadCount', description: 'What is left unread.' },
);

/** A member for each channel, required or not. */
const channels = <T>(member: (channel: Channel) => T): Record<Channel, T> =>
  Object.fromEntries(CHANNELS.map((channel) => [channel, member(channel)])) as Record<Channel, T>;
const kinds = <T>(member: (kind: Kind) => T): Record<Kind, T> =>
  Object.fromEntries(KINDS.map((kind) => [kind, member(kind)])) as Record<Kind, T>;
const switchOf = (channel: Channel): TBoolean => Type.Boolean({ description: WHERE[channel] });

const offlineMinutes = Type.Integer({
  minimum: OFFLINE_MINUTES.min,
  maximum: OFFLINE_MINUTES.max,
  description:
    'Minutes for which a device is not heard before its owner is notified, ' +
    `${OFFLINE_MINUTES.min} to ${OFFLINE_MINUTES.max}. Default: ${OFFLINE_MINUTES.default}.`,
});

const digest = StringEnum(
  DIGESTS,
  'How mails are gathered: `at_once`; `hourly`, at most one an hour (default); `daily`, at 08:00 ' +
    'in the time zone of the user.',
);
const timeZone = Type.String({
  maxLength: 64,
  description: 'IANA time zone of mails, for example `Europe/Berlin`. Absent: UTC.',
});

export const NotificationPreferences = Type.Object(
  {
    kinds: Type.Object(
      kinds((kind) => Type.Object(channels(switchOf), { description: ABOUT[kind] })),
      { description: 'For each kind, through which channels the user is notified.' },
    ),
    offline_minutes: offlineMinutes,
    digest,
    language: Type.Optional(StringEnum(LANGUAGES, 'Language of mails. Absent: not known yet.')),
    time_zone: Type.Optional(timeZone),
  },
  {
    $id: 'NotificationPreferences',
    description:
      'Which notifications the user receives, and how. Mails about the safety of the account ' +
      'are apart.',
  },
);
export type NotificationPreferences = Static<typeof NotificationPreferences>;

export const PreferencesBody = Type.Object(
  {
    kinds: Type.Optional(
      Type.Object(
        kinds((kind) =>
          Type.Optional(
            Type.Object(
              channels((channel) => Type.Optional(switchOf(channel))),
              { additionalProperties: false, description: ABOUT[kind] },
            ),
          ),
        ),
        { additionalProperties: false, description: 'As they are answered.' },
      ),
    ),
    offline_minutes: Type.Optional(offlineMinutes),
    digest: Type.Optional(digest),
    language: Type.Optional(
      StringEnum(LANGUAGES, 'Language of mails. Default: the best of `Accept-Language`.'),
    ),
    time_zone: Type.Optional(timeZone),
  },
  {
    additionalProperties: false,
    description: 'Replaces all preferences. What is left out is as by default.',
  },
);
export type PreferencesBody = Static<typeof PreferencesBody>;
