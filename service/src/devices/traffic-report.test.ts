import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashReport, spreadOverHours, type TrafficReport } from './traffic-report.ts';

const base: TrafficReport = {
  reportId: 'r',
  nodeId: 'n',
  bytesUp: 3_600n,
  bytesDown: 7n,
  from: new Date('2026-11-20T04:30:00Z'),
  to: new Date('2026-11-20T06:00:00Z'),
};

test('bytes are spread over the hours by time', () => {
  expect(spreadOverHours(base)).toEqual([
    { hour: new Date('2026-11-20T04:00:00Z'), bytesUp: 1200n, bytesDown: 2n },
    { hour: new Date('2026-11-20T05:00:00Z'), bytesUp: 2400n, bytesDown: 5n },
  ]);
});

test('the shares always add up to the report, and none is negative', () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  fc.assert(
    fc.property(
      fc.bigInt(0n, 2n ** 53n),
      fc.integer({ min: 0, max: 100_000_000 }),
      fc.integer({ min: 1, max: 86_400_000 }),
      (bytes, offset_ms, span_ms) => {
        const from = new Date(start + offset_ms);
        const shares = spreadOverHours({
          ...base,
          bytesUp: bytes,
          from,
          to: new Date(from.getTime() + span_ms),
        });
        expect(shares.reduce((sum, share) => sum + share.bytesUp, 0n)).toBe(bytes);
        expect(shares.every((share) => share.bytesUp >= 0n)).toBe(true);
      },
    ),
  );
});

test('the hash changes with any change of the content, and not with the id', () => {
  const changes: Partial<TrafficReport>[] = [
    { bytesUp: 1n },
    { bytesDown: 1n },
    { category: 'web' },
    { from: new Date(0) },
    { to: new Date(0) },
    { nodeId: 'm' },
  ];
  expect(
    new Set([base, ...changes.map((change) => ({ ...base, ...change }))].map(hashReport)).size,
  ).toBe(7);
  expect(hashReport({ ...base, reportId: 'other' })).toBe(hashReport(base));
});
