/** Notifications in the reader's words. */
import type { IconName } from '../components/icon.tsx';
import type { Translate } from '../i18n/translate.ts';
import { readableText } from '../lib/money-text.ts';
import { dayText } from '../lib/time-text.ts';
import type { Notification } from './queries.ts';

type Told = Pick<Notification, 'code' | 'details'>;

/** The sentence of a notification. A code that this version does not know has a general one. */
export function notificationText(
  t: Pick<Translate, 'find'>,
  language: string,
  { code, details }: Told,
): string {
  const { amount, currency, day, count } = details;
  const values = {
    ...details,
    ...(amount !== undefined && {
      amount: readableText(amount, currency).replaceAll(' ', '\u00a0'),
    }),
    ...(day !== undefined && { day: dayText(day, language) }),
    ...(count !== undefined && { count: Number(count) }),
  };
  return (
    t.find('notifications', `message.${code}`, values) ?? t.find('notifications', 'unknown') ?? code
  );
}

const ICONS: Readonly<Record<string, IconName>> = {
  device_offline: 'device',
  deposit: 'arrowDown',
  payout: 'arrowUp',
  sign_in: 'shield',
  reward_day: 'gift',
};

/** The icon of a kind. */
export const iconOf = (kind: string): IconName => ICONS[kind] ?? 'bell';
