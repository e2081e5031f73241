import { expect, test } from 'vitest';
import { type ChartDay, stackBars } from './chart-bars.ts';

function point(date: string, amounts: Readonly<Record<string, string>>): ChartDay {
  const parts = Object.entries(amounts).map(([name, amount]) => ({ name, amount }));
  const amount = String(parts.reduce((sum, entry) => sum + Number(entry.amount), 0));
  return { date, amount, parts };
}

test('parts are stacked, and gridlines are at round values', () => {
  const { days, ticks } = stackBars([point('2026-11-24', { UPTIME: '60', TRAFFIC: '40' })], []);
  expect(days).toEqual([
    [
      { name: 'UPTIME', bottom: 0, height: 60, isNegative: false },
      { name: 'TRAFFIC', bottom: 60, height: 40, isNegative: false },
    ],
  ]);
  expect(ticks.map(({ value }) => value)).toEqual([0, 20, 40, 60, 80, 100]);
});

test('negative parts are drawn below zero', () => {
  const { days, ticks } = stackBars([point('2026-11-24', { UPTIME: '75', PENALTY: '-25' })], []);
  const [[earned, deducted] = []] = days;
  expect(earned).toMatchObject({ isNegative: false });
  expect(deducted).toMatchObject({ isNegative: true });
  expect(deducted?.bottom).toBeLessThan(earned?.bottom ?? 0);
  const zero = ticks.find(({ value }) => value === 0);
  expect(earned?.bottom).toBeCloseTo(zero?.bottom ?? -1);
  expect((deducted?.bottom ?? 0) + (deducted?.height ?? 0)).toBeCloseTo(zero?.bottom ?? -1);
});

test('the previous period is drawn on the same scale', () => {
  const { before, days } = stackBars(
    [point('2026-11-24', { UPTIME: '50' })],
    [point('2026-11-23', { UPTIME: '100' })],
  );
  expect(before).toEqual([100]);
  expect(days[0]?.[0]?.height).toBe(50);
});

test('a day without parts has no bar', () => {
  expect(stackBars([point('2026-11-24', {})], []).days).toEqual([[]]);
});
