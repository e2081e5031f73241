/** What a user wants to be notified: rows exist where it differs from the default. */
import { type Database, type Db, defineStatement, execute, transaction } from '../db/index.ts';
import {
  CHANNELS,
  type Channel,
  isOnByDefault,
  KINDS,
  type Kind,
  OFFLINE_MINUTES,
} from './kinds.ts';
import type { NotificationPreferences, PreferencesBody } from './schemas.ts';

const CHOICES = defineStatement(
  'notification-choices',
  'select kind, channel, is_on from notification_choice where user_id = :user_id',
);
const SETTING = defineStatement(
  'notification-setting',
  'select offline_minutes from notification_setting where user_id = :user_id',
);

interface Choice {
  readonly kind: Kind;
  readonly channel: Channel;
  readonly is_on: boolean;
}

const switches = (isOn: (kind: Kind, channel: Channel) => boolean): Choice[] =>
  KINDS.flatMap((kind) =>
    CHANNELS.map((channel) => ({ kind, channel, is_on: isOn(kind, channel) })),
  );

/** The preferences of a user, defaults included. */
export async function readPreferences(db: Db, userId: number): Promise<NotificationPreferences> {
  const user = { user_id: userId };
  const { rows } = await execute<Choice>(db, CHOICES, user);
  const settings = await execute<{ offline_minutes: number | null }>(db, SETTING, user);
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
    offline_minutes: settings.rows[0]?.offline_minutes ?? OFFLINE_MINUTES.default,
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
  `insert into notification_setting (user_id, offline_minutes) values (:user_id, :offline_minutes)
   on conflict (user_id) do update set offline_minutes = excluded.offline_minutes`,
);
const DROP_SETTING = defineStatement(
  'notification-setting-drop',
  'delete from notification_setting where user_id = :user_id',
);

const columns = (choices: readonly Choice[]) => ({
  kinds: choices.map(({ kind }) => kind),
  channels: choices.map(({ channel }) => channel),
});

/** Replaces the preferences of a user. @returns them as they are now */
export async function replacePreferences(
  database: Database,
  userId: number,
  { kinds = {}, offline_minutes = OFFLINE_MINUTES.default }: PreferencesBody,
): Promise<NotificationPreferences> {
  const all = switches((kind, channel) => kinds[kind]?.[channel] ?? isOnByDefault(kind, channel));
  const isPlain = ({ kind, channel, is_on }: Choice): boolean =>
    is_on === isOnByDefault(kind, channel);
  const own = all.filter((choice) => !isPlain(choice));
  const user = { user_id: userId };
  return transaction(database, async (tx) => {
    await execute(tx, DROP_CHOICES, { ...user, ...columns(all.filter(isPlain)) });
    const areOn = own.map(({ is_on }) => is_on);
    await execute(tx, KEEP_CHOICES, { ...user, ...columns(own), are_on: areOn });
    if (offline_minutes === OFFLINE_MINUTES.default) await execute(tx, DROP_SETTING, user);
    else await execute(tx, KEEP_SETTING, { ...user, offline_minutes });
    return readPreferences(tx, userId);
  });
}
