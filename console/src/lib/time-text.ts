/**
 * Times in the reader's zone and language; the exact UTC time is one hover away. What is "now" the
 * service says.
 */
import { serverNow } from './server-clock.ts';

/**
 * What a browser calls its languages need not be a language tag: on a system without a locale,
 * Chromium says `en-US@posix`.
 */
function readLocale(tag: string): Intl.Locale[] {
  try {
    return [new Intl.Locale(tag.replace(/[@.].*$/, ''))];
  } catch {
    return [];
  }
}

/**
 * The console's language as the reader's country writes dates in it: 21 Nov 2026 in London and
 * Berlin, Nov 21, 2026 in Boston.
 */
export function readerLocale(
  language: string,
  tags: readonly string[] = navigator.languages,
): string {
  const locales = tags.flatMap(readLocale);
  const { language: primary } = new Intl.Locale(language);
  const own = locales.find((locale) => locale.language === primary);
  const region = locales[0]?.maximize().region;
  return own?.toString() ?? (region === undefined ? language : `${primary}-${region}`);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options);
  let found = formats.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat(readerLocale(language), options);
    formats.set(key, found);
  }
  return found;
}

function hasDayOf24Hours(language: string): boolean {
  return format(language, { hour: 'numeric' }).resolvedOptions().hourCycle === 'h23';
}

/**
 * The time of day. Where the day has 24 hours, hours have two digits everywhere: the short style of
 * Spanish writes 0:10 and 20:43.
 */
function clock(language: string): Intl.DateTimeFormatOptions {
  return { hour: hasDayOf24Hours(language) ? '2-digit' : 'numeric', minute: '2-digit' };
}

const DATE = { year: 'numeric', month: 'short', day: 'numeric' } as const;

export function dateTimeText(iso: string, language: string): string {
  // A style takes no digits of its own. Without it, some of the others write the date in words.
  const options: Intl.DateTimeFormatOptions = hasDayOf24Hours(language)
    ? { ...DATE, ...clock(language) }
    : { dateStyle: 'medium', timeStyle: 'short' };
  return format(language, options).format(new Date(iso));
}

/** The same for a narrow row: without the current year. */
export function shortDateTimeText(iso: string, language: string, now = serverNow()): string {
  const time = new Date(iso);
  const isThisYear = time.getFullYear() === now.getFullYear();
  const { year, ...dayOfYear } = DATE;
  return format(language, {
    ...dayOfYear,
    ...(!isThisYear && { year }),
    ...clock(language),
  }).format(time);
}

export function timeOfDayText(iso: string, language: string): string {
  return format(language, clock(language)).format(new Date(iso));
}

export function dateText(iso: string, language: string): string {
  return format(language, { dateStyle: 'medium' }).format(new Date(iso));
}

/** A calendar day in UTC, as the service counts days. */
export function dayText(
  day: string,
  language: string,
  style: 'short' | 'medium' | 'long' = 'medium',
): string {
  const options: Intl.DateTimeFormatOptions =
    style === 'short' ? { day: 'numeric', month: 'short' } : { dateStyle: style };
  return format(language, { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}

/** A month of the service's calendar, `yyyy-MM`: "November 2026". */
export function monthText(month: string, language: string): string {
  const options = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return format(language, options).format(new Date(`${month}-01T00:00:00Z`));
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/**
 * When the service's day begins on the reader's clock; undefined where it is midnight there too.
 */
export function dayBeginText(
  language: string,
  timeZone?: string,
  now = serverNow(),
): string | undefined {
  const begin = new Date(`${todayUtc(now)}T00:00:00Z`);
  const inZone = timeZone === undefined ? {} : { timeZone };
  const inEnglish = new Intl.DateTimeFormat('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...inZone,
  });
  return inEnglish.format(begin) === '00:00'
    ? undefined
    : format(language, { ...clock(language), ...inZone }).format(begin);
}

/** Intl writes 3小时前; everywhere else a space parts figures from Chinese. */
function spaceFigures(text: string): string {
  return text.replaceAll(/(?<=\d)(?=\p{Script=Han})/gu, ' ');
}

/** "3 minutes ago". */
export function agoText(iso: string, language: string, now_ms: number): string {
  const seconds = Math.round((new Date(iso).getTime() - now_ms) / 1000);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size)
      return spaceFigures(relative.format(Math.trunc(seconds / size), unit));
  return relative.format(0, 'second');
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long something lasts, in its largest unit: "12 min", or "12 minutes". */
export function spanText(
  seconds: number,
  language: string,
  unitDisplay: 'short' | 'long' = 'short',
): string {
  const [unit, unit_s] = UNITS.find(([, length]) => seconds >= length) ?? UNITS[3];
  const format = { style: 'unit', unit, unitDisplay } as const;
  const text = new Intl.NumberFormat(language, format).format(Math.floor(seconds / unit_s));
  return spaceFigures(text);
}

/** UTC, for the hover. */
export function utcText(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

const DAY = /^(\d{4})(?:(\d{2})(\d{2})|[-/.](\d{1,2})[-/.](\d{1,2}))$/;

/** A day as people write it, year first, as `yyyy-MM-dd`; undefined when there is no such day. */
export function parseDay(text: string): string | undefined {
  const [, year = '', month, day, looseMonth = '', looseDay = ''] = DAY.exec(text.trim()) ?? [];
  const twoDigits = (text: string): string => text.padStart(2, '0');
  const written = `${year}-${twoDigits(month ?? looseMonth)}-${twoDigits(day ?? looseDay)}`;
  const time_ms = Date.parse(`${written}T00:00:00Z`);
  // A 31st of June becomes a 1st of July: then it is not what was written.
  // The service's calendar begins with the year 1.
  return !Number.isNaN(time_ms) &&
    year !== '0000' &&
    new Date(time_ms).toISOString().startsWith(written)
    ? written
    : undefined;
}

/** Today as the service counts days. */
export function todayUtc(now = serverNow()): string {
  return now.toISOString().slice(0, 10);
}

/** The day `days` before a day. */
export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}

/** So many days, today the last of them. */
export function lastDays(count: number): { readonly beginDate: string; readonly endDate: string } {
  const endDate = todayUtc();
  return { beginDate: dayBefore(endDate, count - 1), endDate };
}
