import { expect, test } from 'vitest';
import { paceOf, settledOf } from './pace.ts';

const HOUR_MS = 3_600_000;
const DAY = '2026-11-24';
const at = (time: string) => new Date(`${DAY}T${time}:00.000Z`);
const paidDaily = {
  is_paying: true,
  has_uptime: true,
  has_traffic: false,
  has_referral: false,
  period: 'day' as const,
  next_payment_at: '2026-11-25T00:10:00.000Z',
};

/** What is settled at a time of the day: whole hours, 600 s after their end. */
function scheduleAt(time: string) {
  const ended_ms = at(time).getTime() - 600_000;
  const settled_ms = Math.floor(ended_ms / HOUR_MS) * HOUR_MS;
  return { ...paidDaily, settled_until: new Date(settled_ms).toISOString() };
}

test('after half a day the forecast is twice its earnings', () => {
  const half = 12 * HOUR_MS;
  expect(paceOf('6', ['10', '10'], half)).toEqual({ forecast: '12', average: '10', change: 20 });
  expect(paceOf('2.5', ['10'], half)).toMatchObject({ change: -50 });
});

test('a day that has just begun, or has no days before it, has no forecast', () => {
  expect(paceOf('6', ['10'], 2 * HOUR_MS - 1)).toBeUndefined();
  expect(paceOf('6', [], 12 * HOUR_MS)).toBeUndefined();
});

test('without earnings on earlier days there is no comparison', () => {
  const pace = paceOf('6', ['0', '0'], 12 * HOUR_MS);
  expect(pace).toEqual({ forecast: '12', average: '0', change: undefined });
});

test('who earns the same each hour is forecast the average at any time of the day', () => {
  for (const time of ['02:10', '03:05', '03:15', '12:30', '23:59']) {
    const settled_ms = settledOf(DAY, scheduleAt(time), at(time));
    const today = `${1.5 * (settled_ms / HOUR_MS)}`;
    expect(paceOf(today, ['36'], settled_ms), time).toEqual({
      forecast: '36',
      average: '36',
      change: 0,
    });
  }
  expect(paceOf('1.5', ['36'], settledOf(DAY, scheduleAt('02:05'), at('02:05')))).toBeUndefined();
});

test('of a day is settled what its earnings cover, in UTC', () => {
  expect(settledOf(DAY, scheduleAt('06:10'), at('06:10'))).toBe(6 * HOUR_MS);
  expect(settledOf(DAY, scheduleAt('00:05'), at('00:05'))).toBe(0);
  // The clock that was read last is behind.
  expect(settledOf(DAY, scheduleAt('06:10'), at('05:30'))).toBe(5.5 * HOUR_MS);
});

test('nothing is settled before the first hour, or while a day before it is not paid', () => {
  const now = at('06:10');
  expect(settledOf(DAY, undefined, now)).toBe(0);
  expect(settledOf(DAY, paidDaily, now)).toBe(0);
  const late = { ...scheduleAt('06:10'), next_payment_at: now.toISOString() };
  expect(settledOf(DAY, late, now)).toBe(0);
  expect(settledOf(DAY, { ...late, period: 'hour' }, now)).toBe(6 * HOUR_MS);
});
