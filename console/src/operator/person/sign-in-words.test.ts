import { expect, test } from 'vitest';
import { catalogueOf } from '../../../test/support/catalogues.ts';
import { createTranslate } from '../../i18n/translate.ts';
import { CLIENT_ID } from '../../session/client-id.ts';
import { amrText, listOnce } from './sign-in-words.ts';

const t = createTranslate(catalogueOf('en'), 'en', 'operator');

test('methods have words, and two factors are not named again', () => {
  expect(amrText(t, ['pwd', 'hwk', 'mfa'])).toBe('password + security key');
  expect(amrText(t, ['swk', 'user', 'mfa'])).toBe('passkey');
  expect(amrText(t, ['pwd', 'of_tomorrow'])).toBe('password + of_tomorrow');
});

const event = (type: string, second: number, client_id?: string) => ({
  type,
  created_at: new Date(Date.UTC(2026, 10, 10, 12, 0, second)).toISOString(),
  ip: '192.0.2.1',
  details: client_id === undefined ? {} : { client_id },
});

test('a sign-in to the console is listed once', () => {
  const signedIn = event('signed_in', 10);
  const other = event('application_allowed', 12, 'weather');
  const late = event('application_allowed', 200, CLIENT_ID);
  const own = event('application_allowed', 11, CLIENT_ID);
  expect(listOnce([late, other, own, signedIn])).toEqual([late, other, signedIn]);
  expect(listOnce([{ ...own, ip: '192.0.2.2' }, signedIn])).toHaveLength(2);
  expect(listOnce([own])).toEqual([own]);
});
