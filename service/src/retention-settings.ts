/** Times that operators choose for rows of the past, as a part of the schema of the variables. */
import Type, { type TInteger } from 'typebox';

const days = (defaultDays: number, minimum: number, description: string): TInteger =>
  Type.Integer({
    default: defaultDays,
    minimum,
    maximum: 3650,
    description: `${description} Set it on all instances. Unit: days.`,
  });

export const RETENTION_SETTINGS = {
  SECURITY_EVENTS_KEPT_DAYS: days(
    400,
    90,
    'How long entries of the security log of a user are kept. An address is known for 90 days by ' +
      'them.',
  ),
  SESSIONS_KEPT_DAYS: days(30, 1, 'How long a session is shown as ended after it has expired.'),
  NOTIFICATIONS_KEPT_DAYS: days(
    90,
    30,
    'How long notifications are kept, the newest 200 of each user.',
  ),
};

export type RetentionSettings = Readonly<Record<keyof typeof RETENTION_SETTINGS, number>>;

/** The setting of each table that has one. */
export const SETTING_OF: Readonly<Record<string, keyof RetentionSettings>> = {
  security_event: 'SECURITY_EVENTS_KEPT_DAYS',
  user_session: 'SESSIONS_KEPT_DAYS',
  notification: 'NOTIFICATIONS_KEPT_DAYS',
};
