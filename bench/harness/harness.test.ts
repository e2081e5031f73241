import { expect, test } from 'vitest';
import { type BenchEntry, isMet, median, round } from './entry.ts';
import { runEntry } from './run-entry.ts';

function entryOf(ours: number[], anchors: number[], goal: BenchEntry['goal']): BenchEntry {
  const sides = { ours: async () => ours.shift() ?? 0, anchor: async () => anchors.shift() ?? 0, close: async () => {} };
  return { name: 'probe', summary: 'a probe', unit: 'n/s', goal, rounds: 3, open: async () => sides };
}

test('the ratio is the median of the pairs, warm-up left out, and the last line says whether the goal is met', async () => {
  const lines: string[] = [];
  const report = await runEntry(entryOf([999, 50, 60, 70], [1, 100, 100, 100], { ratio: 0.6, is: 'at least' }), (line) => lines.push(line));
  expect(report.ratio).toBeCloseTo(0.6);
  expect(lines.at(-1)).toBe('probe: ratio 0.6 (goal ≥ 0.6): met');
  const missed = await runEntry(entryOf([0, 3, 3, 3], [1, 1, 1, 1], { ratio: 1.5, is: 'at most' }), () => {});
  expect(missed.line).toBe('probe: ratio 3 (goal ≤ 1.5): missed');
});

test('figures', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(isMet(0.61, { ratio: 0.6, is: 'at least' })).toBe(true);
  expect(isMet(1.6, { ratio: 1.5, is: 'at most' })).toBe(false);
  expect([round(1234.5), round(0.61234), round(12.345)]).toEqual(['1235', '0.612', '12.3']);
});
