import { expect, test } from 'vitest';
import { levelOf, listCells, listHours, shareOnline } from './uptime.ts';

const NOW = new Date('2026-11-28T13:20:00Z');
const usage = (hour: string, online_seconds: number) => ({
  hour,
  online_seconds,
  bytes_up: 0,
  bytes_down: 0,
  traffic_gb: '0',
});

test('hours count from the one of the registration to the last one that is over', () => {
  const hours = listHours([], '2026-11-27T22:59:59.999Z', NOW);
  expect(hours).toHaveLength(168);
  expect(hours[0]?.iso).toBe('2026-11-22T00:00:00.000Z');
  expect(hours.filter(({ isCounted }) => isCounted).map(({ iso }) => iso.slice(0, 13))).toEqual([
    '2026-11-27T22',
    '2026-11-27T23',
    ...Array.from({ length: 13 }, (_, hour) => `2026-11-28T${String(hour).padStart(2, '0')}`),
  ]);
});

test('a share is of counted hours alone; absent hours were offline', () => {
  const listed = [
    usage('2026-11-28T11:00:00.000Z', 3600),
    usage('2026-11-28T12:00:00.000Z', 1800),
    usage('2026-11-28T13:00:00.000Z', 900),
  ];
  expect(shareOnline(listHours(listed, '2026-11-28T10:30:00.000Z', NOW))).toBe(0.5);
  expect(shareOnline(listHours(listed, '2026-11-28T13:00:00.000Z', NOW))).toBe(undefined);
});

test('a strip has four cells a day: before the device, offline, in part, still to come', () => {
  const listed = Array.from({ length: 6 }, (_, hour) =>
    usage(`2026-11-28T0${hour}:00:00.000Z`, hour < 4 ? 3600 : 0),
  );
  const cells = listCells(listHours(listed, '2026-11-27T12:00:00.000Z', NOW));
  expect(cells).toHaveLength(28);
  expect(cells.slice(-8).map(({ level }) => level)).toEqual([
    'none',
    'none',
    'off',
    'off',
    'most',
    'off',
    'off',
    'none',
  ]);
});

test.each([
  [undefined, 'none'],
  [0, 'off'],
  [0.01, 'part'],
  [0.5, 'most'],
  [0.949, 'most'],
  [0.95, 'full'],
  [1, 'full'],
] as const)('%s is %s', (share, level) => {
  expect(levelOf(share)).toBe(level);
});
