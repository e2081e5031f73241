import { expect, test } from 'vitest';
import {
  accentOf,
  DEFAULT_DRAFT,
  findTooLong,
  isAccentWrong,
  toDraft,
  toOrder,
  withLogosOf,
} from './draft.ts';

const SETTINGS = {
  name: 'Acme',
  accent: '#2563eb',
  sign_in_text: { en: 'Welcome' },
  mail_footer: {},
  logo: { path: '/brand/logos/x', width: 3, height: 2 },
  mail_sender_addresses: ['no-reply@localhost'],
  default_name: 'Edge Account',
  default_mail_sender_name: 'Edge Account',
};

test('what was not touched is sent as it was, and a logo not at all', () => {
  expect(toOrder(toDraft(SETTINGS))).toEqual({
    name: 'Acme',
    accent: '#2563eb',
    sign_in_text: { en: 'Welcome' },
    mail_footer: {},
  });
});

test('what is empty is left out, and so is set to its default', () => {
  const draft = toDraft(SETTINGS);
  expect(toOrder({ ...draft, name: '  ', sign_in_text: { en: ' ', zh: ' 欢迎 ' } })).toEqual({
    accent: '#2563eb',
    sign_in_text: { zh: '欢迎' },
    mail_footer: {},
  });
  expect(toOrder(DEFAULT_DRAFT)).toEqual({
    sign_in_text: {},
    mail_footer: {},
    logo: null,
    dark_logo: null,
  });
});

test('what is too long is named with its limit, as people count characters', () => {
  const fits = {
    ...DEFAULT_DRAFT,
    name: '👩‍👩‍👧'.repeat(40),
    mail_footer: { en: 'x'.repeat(500) },
  };
  expect(findTooLong(fits)).toEqual({});
  const long = { ...fits, name: 'x'.repeat(41), mail_footer: { zh: 'x'.repeat(501) } };
  expect(findTooLong(long)).toEqual({ name: 40, 'mail_footer.zh': 500 });
});

test('a chosen logo is sent', () => {
  expect(toOrder({ ...DEFAULT_DRAFT, logo: { change: 'iVBO' } })).toMatchObject({ logo: 'iVBO' });
});

test('a logo that was not chosen here is the one that is stored', () => {
  const draft = { ...toDraft(SETTINGS), name: 'Typed', dark_logo: { change: 'iVBO' } };
  const logo = { path: '/brand/logos/theirs', width: 8, height: 8 };
  const theirs = { ...SETTINGS, name: 'Theirs', logo, dark_logo: logo };
  expect(withLogosOf(theirs, draft)).toEqual({ ...draft, logo: { image: logo } });
  const { logo: _, ...without } = SETTINGS;
  expect(withLogosOf(without, draft).logo).toEqual({});
});

test.each([
  ['', undefined, false],
  [' #2563EB ', '#2563eb', false],
  ['#256', undefined, true],
  ['blue', undefined, true],
] as const)('the accent %j', (accent, read, isWrong) => {
  expect(accentOf({ accent })).toBe(read);
  expect(isAccentWrong({ accent })).toBe(isWrong);
});
