import { expect, test } from 'vitest';
import { isTimeZone } from './time-zone.ts';

test('knows every zone of the database, and its aliases', () => {
  for (const zone of [...Intl.supportedValuesOf('timeZone'), 'UTC', 'GMT', 'Asia/Calcutta', 'US/Pacific', 'Europe/Kyiv', 'Etc/GMT+5', 'EST5EDT'])
    expect(isTimeZone(zone), zone).toBe(true);
});

test.each(['', 'Mars/Olympus', 'CEST', '+01:00', '-08', 'Etc/Unknown', ' UTC', 'UTC\n', 'Europe/Berlin/', '__proto__'])('%j is none', (text) => {
  expect(isTimeZone(text)).toBe(false);
});
