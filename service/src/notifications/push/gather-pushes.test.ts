import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../lib/language.ts';
import type { Kind } from '../kinds.ts';
import { gatherPushes, SINGLES_MAX } from './gather-pushes.ts';
import { type PushedNotification, tagOf, ttlOf, urgencyOf, writePush } from './write-push.ts';

const CREATED_AT = new Date('2026-11-10T12:00:00Z');

/** Notifications of these kinds, oldest first. */
const waiting = (...kinds: readonly Kind[]): PushedNotification[] =>
  kinds.map((kind, at) => ({
    ...{ id: at + 1, kind, code: kind, details: {} },
    created_at: CREATED_AT,
  }));
const idsOf = (pushes: readonly (readonly PushedNotification[])[]) =>
  pushes.map((told) => told.map(({ id }) => id));
const afterHours = (hours: number) => new Date(CREATED_AT.getTime() + hours * 3_600_000);
const read = (told: readonly PushedNotification[], language: Language) =>
  JSON.parse(writePush(told, { language, serviceName: 'Acme' }).toString()) as object;

test('a few have a message each, under tags of their own', () => {
  const pushes = gatherPushes(waiting('deposit', 'sign_in', 'payout', 'device_offline'));
  expect(idsOf(pushes)).toEqual([[1], [2], [3], [4]]);
  expect(new Set(pushes.map(tagOf)).size).toBe(4);
  expect(gatherPushes([])).toEqual([]);
});

test('more are one message, and each sign-in is another, before it', () => {
  const many = Array.from({ length: SINGLES_MAX + 1 }, () => 'deposit' as const);
  expect(idsOf(gatherPushes(waiting(...many)))).toEqual([[1, 2, 3, 4]]);
  expect(idsOf(gatherPushes(waiting('sign_in', ...many, 'sign_in')))).toEqual([
    ...[[1], [6], [2, 3, 4, 5]],
  ]);
  expect(idsOf(gatherPushes(waiting('sign_in', 'sign_in', 'sign_in', 'sign_in')))).toEqual([
    ...[[1], [2], [3], [4]],
  ]);
});

test.each(LANGUAGES)('in %s their message has their number, and leads to the list', (language) => {
  const told = waiting('deposit', 'payout', 'reward_day', 'device_offline');
  const bodies = { en: '4 notifications', es: '4 notificaciones', zh: '您有 4 条新通知' };
  expect(read(told, language)).toEqual({
    ...{ title: 'Acme', body: bodies[language], path: '/notifications', tag: 'notifications' },
  });
});

test('what is of one kind leads to the page of its kind', () => {
  const told = waiting('deposit', 'deposit', 'deposit', 'deposit');
  expect(read(told, 'en')).toMatchObject({ body: '4 notifications', path: '/deposits' });
});

test('their message is kept as long as that of any, and later ones take its place', () => {
  const told = waiting('device_offline', 'reward_day', 'deposit', 'reward_day');
  expect(ttlOf(told, afterHours(1))).toBe(71 * 3600);
  expect(ttlOf(told.slice(0, 1), afterHours(1))).toBe(11 * 3600);
  expect(ttlOf(told.slice(0, 1), afterHours(13))).toBe(0);
  expect([urgencyOf(told), urgencyOf(waiting('sign_in'))]).toEqual(['normal', 'high']);
  expect(tagOf(told)).toBe(tagOf(told.slice(1)));
});
