import { expect, test } from 'vitest';
import { trafficByDay } from './traffic-by-day.ts';

const hour = (iso: string, bytes_up: number, bytes_down: number) => ({
  ...{ hour: iso, online_seconds: 3600, bytes_up, bytes_down },
  traffic_gb: '0',
});

test('the hours of a day are added up exactly, each direction for itself', () => {
  const hours = [
    hour('2026-11-24T00:00:00.000Z', 1, 2_000_000_000),
    hour('2026-11-24T23:00:00.000Z', 500_000_000, 3),
    hour('2026-11-26T05:00:00.000Z', 0, 7_000_000),
    hour('2026-11-27T00:00:00.000Z', 9, 9),
  ];
  expect(trafficByDay(hours, ['2026-11-24', '2026-11-25', '2026-11-26'])).toEqual([
    {
      date: '2026-11-24',
      amount: '2.500000004',
      parts: [
        { name: 'down', amount: '2.000000003' },
        { name: 'up', amount: '0.500000001' },
      ],
    },
    { date: '2026-11-25', amount: '0', parts: [] },
    { date: '2026-11-26', amount: '0.007', parts: [{ name: 'down', amount: '0.007' }] },
  ]);
});
