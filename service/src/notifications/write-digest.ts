/** One mail of several notifications, in the language and time zone of its user. */
import { isPlainName } from '../identity/index.ts';
import { startOfDay } from '../lib/calendar.ts';
import { type Language, textsOf } from '../lib/language.ts';
import { readableAmount } from '../lib/money.ts';
import type { Message } from '../mail/index.ts';

/** Notifications that a mail lists; the others are counted. */
export const LISTED_MAX = 30;

export interface MailedNotification {
  readonly code: string;
  readonly details: Readonly<Record<string, string>>;
  readonly created_at: Date;
}

export interface DigestOrder {
  readonly to: string;
  readonly userId: number;
  readonly language: Language;
  readonly timeZone: string;
  /** Where the list of all is. */
  readonly listUrl: string;
  readonly unsubscribeUrl: string;
  /** Newest first, `LISTED_MAX` at most. */
  readonly notifications: readonly MailedNotification[];
  /** How many there are, listed or not. */
  readonly total: number;
}

/** Puts values in the place of `{name}`. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** The details as people read them. What is stored is exact, and the same in every language. */
function readable(
  language: Language,
  details: MailedNotification['details'],
): MailedNotification['details'] {
  const { tag, digest } = textsOf(language);
  const { name, amount, day } = details;
  // A day of the service: it is the same one in every time zone.
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' });
  return {
    ...details,
    ...(name !== undefined && !isPlainName(name) && { name: digest.device }),
    ...(amount !== undefined && { amount: readableAmount(amount) }),
    ...(day !== undefined && { day: date.format(startOfDay(day)) }),
  };
}

/** The sentence of a notification. A code that this version does not know has a general one. */
export function sentenceOf(
  language: Language,
  { code, details }: Pick<MailedNotification, 'code' | 'details'>,
): string {
  const { messages, unknown } = textsOf(language).digest;
  const text = Object.entries(messages).find(([known]) => known === code)?.[1] ?? unknown;
  return fill(text, readable(language, details));
}

/** Writes the mail. */
export function writeDigest(order: DigestOrder): Message {
  const { to, userId, language, timeZone, listUrl, unsubscribeUrl, notifications, total } = order;
  const { tag, digest } = textsOf(language);
  const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
  const time = new Intl.DateTimeFormat(tag, { ...style, timeZone });
  const sentences = notifications.map((one) => sentenceOf(language, one));
  const lines = notifications.map(
    ({ created_at }, i) => `- ${sentences[i]} (${time.format(created_at)}, ${timeZone})`,
  );
  const rest = total - lines.length;
  const more = rest > 0 ? [fill(digest.more, { count: String(rest) })] : [];
  const [first = ''] = sentences;
  return {
    ...{ to, userId, language, unsubscribeUrl, kind: 'notifications' },
    subject: total === 1 ? first : fill(digest.subject, { count: String(total) }),
    text: [
      [...lines, ...more].join('\n'),
      `${digest.open}\n${listUrl}`,
      `${digest.stop}\n${unsubscribeUrl}\n`,
    ].join('\n\n'),
  };
}
