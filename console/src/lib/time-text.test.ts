import { afterEach, expect, test, vi } from 'vitest';
import {
  agoText,
  dateTimeText,
  dayBeginText,
  parseDay,
  readerLocale,
  shortDateTimeText,
  spanText,
  timeOfDayText,
} from './time-text.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a row shows the year only if it is not the current one', () => {
  const now = new Date('2026-07-15T12:00:00Z');
  expect(shortDateTimeText('2026-06-15T12:00:00.000Z', 'en', now)).not.toContain('2026');
  expect(shortDateTimeText('2025-06-15T12:00:00.000Z', 'en', now)).toContain('2025');
  expect(shortDateTimeText('2025-06-15T12:00:00.000Z', 'zh', now)).toContain('2025年6月15日');
});

test.each(['zh', 'es'])('hours of the 24-hour clock have two digits in %s', (language) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-ES']);
  const early = new Date(2026, 5, 15, 0, 43);
  const iso = early.toISOString();
  expect(shortDateTimeText(iso, language, early)).toMatch(/\D00:43$/);
  expect(dateTimeText(iso, language)).toMatch(/\D00:43$/);
  expect(timeOfDayText(iso, language)).toBe('00:43');
});

test('hours of the 12-hour clock have as many digits as they need', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-US']);
  const evening = new Date(2026, 5, 15, 20, 43).toISOString();
  expect(timeOfDayText(evening, 'en')).toMatch(/^8:43\s*PM$/);
  expect(dateTimeText(evening, 'en')).toMatch(/^Jun 15, 2026, 8:43\s*PM$/);
});

test.each([
  ['2026-11-20', '2026-11-20'],
  ['20261120', '2026-11-20'],
  [' 2026/1/5 ', '2026-01-05'],
  ['2028.2.29', '2028-02-29'],
])('%s is the day %s', (text, day) => {
  expect(parseDay(text)).toBe(day);
});

test.each([
  '',
  '2026',
  '2026-13-01',
  '2026-06-31',
  '2026-02-29',
  '20.11.2026',
  '11/20/2026',
  '2026115',
  '0000-01-01',
  '2026-11-20T00:00',
  'today',
])('"%s" is no day', (text) => {
  expect(parseDay(text)).toBeUndefined();
});

test('a day of the service begins at another hour in the time zone of the reader', () => {
  const now = new Date('2026-11-20T15:00:00Z');
  expect(dayBeginText('zh', 'Pacific/Auckland', now)).toContain('13:00');
  expect(dayBeginText('zh', 'Asia/Kathmandu', now)).toContain('05:45');
  expect(dayBeginText('en', 'Europe/London', now)).toBeUndefined();
});

test.each([
  ['en', ['en-GB', 'en'], 'en-GB'],
  ['en', ['de-DE', 'de', 'en-US'], 'en-US'],
  ['en', ['de-DE', 'de'], 'en-DE'],
  ['en', ['de'], 'en-DE'],
  ['zh', ['en-US'], 'zh-US'],
  ['zh', [], 'zh'],
  ['en', ['en-US@posix'], 'en-US'],
  ['zh', ['C', 'en_US', 'de-AT'], 'zh-AT'],
  ['es-419', ['en-US', 'es-MX'], 'es-MX'],
  ['es-419', ['de-AT'], 'es-AT'],
  ['es-419', [], 'es-419'],
])('%s for a reader of %j writes dates as %s', (language, tags, locale) => {
  expect(readerLocale(language, tags)).toBe(locale);
});

test('how long something lasts is said in its largest unit, short or in words', () => {
  expect(spanText(250, 'en')).toBe('4 min');
  expect(spanText(250, 'en', 'long')).toBe('4 minutes');
  expect(spanText(3600, 'es', 'long')).toBe('1 hora');
});

test('a space parts figures from Chinese, as in the texts', () => {
  const now_ms = Date.parse('2026-11-20T12:00:00Z');
  expect(agoText('2026-11-20T09:00:00Z', 'zh', now_ms)).toBe('3 小时前');
  expect(agoText('2026-11-20T12:05:00Z', 'zh', now_ms)).toBe('5 分钟后');
  expect(agoText('2026-11-20T12:00:10Z', 'zh', now_ms)).toBe('现在');
  expect(spanText(3600, 'zh')).toBe('1 小时');
  expect(spanText(86_400 * 7, 'zh', 'long')).toBe('7 天');
});
