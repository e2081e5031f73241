import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isTimeZone } from './time-zone.ts';

test('knows every zone of the database, and its aliases', () => {
  for (const zone of [
    ...Intl.supportedValuesOf('timeZone'),
    'UTC',
    'GMT',
    'Asia/Calcutta',
    'US/Pacific',
    'Europe/Kyiv',
    'Etc/GMT+5',
    'EST5EDT',
    'Zulu',
  ])
    expect(isTimeZone(zone), zone).toBe(true);
});

test('JavaScript accepts every name', () => {
  const names = readFileSync(new URL('./time-zones.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  expect(names.length).toBeGreaterThan(590);
  for (const timeZone of names)
    expect(() => new Intl.DateTimeFormat('en', { timeZone }), timeZone).not.toThrow();
});

test.each([
  ...[
    '',
    'Mars/Olympus',
    'CEST',
    '+01:00',
    '-08',
    'Etc/Unknown',
    ' UTC',
    'UTC\n',
    'Europe/Berlin/',
    '__proto__',
    'UTC\nGMT',
  ],
  // Names that JavaScript accepts in addition.
  ...['AST', 'PST', 'IST', 'SystemV/EST5', 'europe/berlin', 'EUROPE/BERLIN', 'utc', 'Factory'],
])('%j is none', (text) => {
  expect(isTimeZone(text)).toBe(false);
});
