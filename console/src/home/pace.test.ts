import { expect, test } from 'vitest';
import { paceOf, shareOfDay } from './pace.ts';

test('after half a day the forecast is twice its earnings', () => {
  expect(paceOf('6', ['10', '10'], 0.5)).toEqual({ forecast: '12', average: '10', change: 20 });
  expect(paceOf('2.5', ['10'], 0.5)).toMatchObject({ change: -50 });
});

test('a day that has just begun, or has no days before it, has no forecast', () => {
  expect(paceOf('6', ['10'], 0.01)).toBeUndefined();
  expect(paceOf('6', [], 0.5)).toBeUndefined();
});

test('without earnings on earlier days there is no comparison', () => {
  expect(paceOf('6', ['0', '0'], 0.5)).toEqual({ forecast: '12', average: '0', change: undefined });
});

test('days begin and end in UTC', () => {
  expect(shareOfDay(new Date('2026-11-24T06:00:00Z'))).toBe(0.25);
});
