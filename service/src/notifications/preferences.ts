/** What a user wants to be notified: rows exist where it differs from the default. */
import { type Database, type Db, defineStatement, execute, transaction } from '../db/index.ts';
import { fieldError } from '../lib/failures.ts';
import type { Language } from '../lib/language.ts';
import { isTimeZone } from '../lib/time-zone.ts';
import {
  CHANNELS,
  type Channel,
  DEFAULT_DIGEST,
  type Digest,
  isOnByDefault,
  KINDS,
  type Kind,
  OFFLINE_MINUTES,
} from './kinds.ts';
import { dropQueued } from './push/index.ts';
import type { NotificationPreferences, PreferencesBody } from './schemas.ts';
import { dropWaiting } from './unsubscribe.ts';

const CHOICES = defineStatement(
  'notification-choices',
  'select kind, channel, is_on from notification_choice where user_id = :user_id',
);
const SETTING = defineStatement(
  'notification-setting',
  `select offline_minutes, digest, language, time_zone from notification_setting
   where user_id = :user_id`,
);

interface Choice {
  readonly kind: Kind;
  readonly channel: Channel;
  readonly is_on: boolean;
}

interface Setting {
  readonly offline_minutes: number | null;
  readonly digest: Digest | null;
  readonly language: Language | null;
  readonly time_zone: string | null;
}

const switches = (isOn: (kind: Kind, channel: Channel) => boolean): Choice[] =>
  KINDS.flatMap((kind) =>
    CHANNELS.map((channel) => ({ kind, channel, is_on: isOn(kind, channel) })),
  );

/** The preferences of a user, defaults included. */
export async function readPreferences(db: Db, userId: number): Promise<NotificationPreferences> {
  const user = { user_id: userId };
  const { rows } = await execute<Choice>(db, CHOICES, user);
  const setting = (await execute<Setting>(db, SETTING, user)).rows[0];
  const chosen = new Map(rows.map((row) => [`${row.kind} ${row.channel}`, row.is_on]));
  const all = switches(
    (kind, channel) => chosen.get(`${kind} ${channel}`) ?? isOnByDefault(kind, channel),
  );
  const ofKind = (kind: Kind) =>
    Object.fromEntries(
      all.filter((one) => one.kind === kind).map(({ channel, is_on }) => [channel, is_on]),
    );
  return {
    kinds: Object.fromEntries(
      KINDS.map((kind) => [kind, ofKind(kind)]),
    ) as NotificationPreferences['kinds'],
    offline_minutes: setting?.offline_minutes ?? OFFLINE_MINUTES.default,
    digest: setting?.digest ?? DEFAULT_DIGEST,
    ...(setting?.language && { language: setting.language }),
    ...(setting?.time_zone && { time_zone: setting.time_zone }),
  };
}

// One statement for each table: two requests at once leave the rows of one of them for each choice.
const DROP_CHOICES = defineStatement(
  'notification-choices-drop',
  `delete from notification_choice c
   using unnest(:kinds::text[], :channels::text[]) as plain (kind, channel)
   where c.user_id = :user_id and c.kind = plain.kind and c.channel = plain.channel`,
);
const KEEP_CHOICES = defineStatement(
  'notification-choices-keep',
  `insert into notification_choice (user_id, kind, channel, is_on)
   select :user_id, kind, channel, is_on
   from unnest(:kinds::text[], :channels::text[], :are_on::boolean[]) as own (kind, channel, is_on)
   on conflict (user_id, kind, channel) do update set is_on = excluded.is_on`,
);
const KEEP_SETTING = defineStatement(
  'notification-setting-keep',
  `insert into notification_setting (user_id, offline_minutes, digest, language, time_zone)
   values (:user_id, :offline_minutes, :digest, :language, :time_zone)
   on conflict (user_id) do update set offline_minutes = excluded.offline_minutes,
     digest = excluded.digest, language = excluded.language, time_zone = excluded.time_zone`,
);

const columns = (choices: readonly Choice[]) => ({
  kinds: choices.map(({ kind }) => kind),
  channels: choices.map(({ channel }) => channel),
});

/** Null for what is as by default. */
const toSetting = ({
  offline_minutes = OFFLINE_MINUTES.default,
  digest = DEFAULT_DIGEST,
  language,
  time_zone,
}: PreferencesBody): Setting => ({
  offline_minutes: offline_minutes === OFFLINE_MINUTES.default ? null : offline_minutes,
  digest: digest === DEFAULT_DIGEST ? null : digest,
  language: language ?? null,
  time_zone: time_zone ?? null,
});

/**
 * Replaces the preferences of a user. What waits for a channel that is off now is not sent.
 * @returns them as they are now
 * @throws `invalid_parameter` for an unknown time zone
 */
export async function replacePreferences(
  database: Database,
  userId: number,
  body: PreferencesBody,
): Promise<NotificationPreferences> {
  const { kinds = {}, time_zone } = body;
  if (time_zone !== undefined && !isTimeZone(time_zone))
    throw fieldError('time_zone', 'unknown', 'is not a time zone of the IANA database');
  const all = switches((kind, channel) => kinds[kind]?.[channel] ?? isOnByDefault(kind, channel));
  const isPlain = ({ kind, channel, is_on }: Choice): boolean =>
    is_on === isOnByDefault(kind, channel);
  const own = all.filter((choice) => !isPlain(choice));
  const without = (channel: Channel): Kind[] =>
    all.filter((choice) => choice.channel === channel && !choice.is_on).map(({ kind }) => kind);
  const user = { user_id: userId };
  return transaction(database, async (tx) => {
    await execute(tx, DROP_CHOICES, { ...user, ...columns(all.filter(isPlain)) });
    const areOn = own.map(({ is_on }) => is_on);
    await execute(tx, KEEP_CHOICES, { ...user, ...columns(own), are_on: areOn });
    await execute(tx, KEEP_SETTING, { ...user, ...toSetting(body) });
    await dropWaiting(tx, userId, without('mail'));
    await dropQueued(tx, userId, without('push'));
    return readPreferences(tx, userId);
  });
}
