import { expect, test } from 'vitest';
import { paceOf, shareOfDay } from './pace.ts';

test('half a day makes a forecast of twice its earnings', () => {
  expect(paceOf('6', ['10', '10'], 0.5)).toEqual({ forecast: '12', average: '10', change: 20 });
  expect(paceOf('2.5', ['10'], 0.5)).toMatchObject({ change: -50 });
});

test('a day that has just begun, or without days before it, has none', () => {
  expect(paceOf('6', ['10'], 0.01)).toBeUndefined();
  expect(paceOf('6', [], 0.5)).toBeUndefined();
});

test('days without earnings are nothing to compare with', () => {
  expect(paceOf('6', ['0', '0'], 0.5)).toEqual({ forecast: '12', average: '0', change: undefined });
});

test('days are those of UTC', () => {
  expect(shareOfDay(new Date('2026-11-24T06:00:00Z'))).toBe(0.25);
});
