import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type BenchEntry,
  type BenchPair,
  isMet,
  median,
  medianTime,
  round,
  showTime,
} from './entry.ts';
import {
  canReadProcesses,
  differ,
  findPostmaster,
  parseStat,
  readFamilyTime,
  readProcessTime,
  withProcessorTime,
} from './processor-time.ts';
import { runEntry } from './run-entry.ts';
import { chosenCases } from './sizes.ts';

const HEAD = {
  name: 'probe',
  summary: 'a probe',
  unit: 'n/s',
  operation: 'try',
  rounds: 3,
} as const;

/** A side that returns the given figures in order. */
function side(
  figures: number[],
  time?: { service_us?: number; client_us?: number },
): BenchPair['ours'] {
  return async () => {
    const figure = figures.shift() ?? 0;
    return time ? { figure, processor: time } : figure;
  };
}

function entryOf(
  ours: BenchPair['ours'],
  anchor: BenchPair['anchor'],
  goal: BenchEntry['goal'],
  missing?: string,
): BenchEntry {
  return {
    ...HEAD,
    goal,
    missing: () => missing,
    open: async () => ({ ours, anchor, close: async () => {} }),
  };
}

async function run(
  entry: BenchEntry,
): Promise<{ lines: string[]; report: Awaited<ReturnType<typeof runEntry>> }> {
  const lines: string[] = [];
  const report = await runEntry(entry, (line) => lines.push(line));
  return { lines, report };
}

test('the ratio is the median of pairs without warm-up; the last line has the result', async () => {
  const { lines, report } = await run(
    entryOf(side([999, 50, 60, 70]), side([1, 100, 100, 100]), { ratio: 0.6, is: 'at least' }),
  );
  expect(report?.ratio).toBeCloseTo(0.6);
  expect(lines.at(-1)).toBe('probe: ratio 0.6 (goal ≥ 0.6): met');
  const missed = await run(
    entryOf(side([0, 3, 3, 3]), side([1, 1, 1, 1]), { ratio: 1.5, is: 'at most' }),
  );
  expect(missed.report?.line).toBe('probe: ratio 3 (goal ≤ 1.5): missed');
});

test('processor time is printed per round and as medians, that of the client apart', async () => {
  const times = [10, 30, 20, 40].map((service_us) => ({
    figure: 1,
    processor: { service_us, client_us: 5 },
  }));
  const ours = async () => times.shift() ?? 0;
  const { lines } = await run(entryOf(ours, side([1, 1, 1, 1]), { ratio: 1, is: 'at least' }));
  const shown = (service: number): string =>
    `processor time of each try: ours service ${service} (client 5) µs, anchor not measured`;
  expect(lines.filter((line) => line.includes('processor time'))).toEqual([
    `  ${shown(30)}`,
    `  ${shown(20)}`,
    `  ${shown(40)}`,
    `median ${shown(30)}`,
  ]);
});

test('the worst case of a table is its ratio', async () => {
  const cases = [
    {
      name: 'good',
      ours: side([9, 8, 8, 8], { service_us: 12 }),
      anchor: side([9, 10, 10, 10], { service_us: 8, client_us: 1 }),
    },
    { name: 'bad', ours: side([9, 3, 4, 5]), anchor: side([9, 10, 10, 10], { client_us: 3 }) },
  ];
  const { lines, report } = await run({
    ...HEAD,
    goal: { ratio: 0.5, is: 'at least' },
    openCases: async () => ({ cases, close: async () => {} }),
  });
  expect(report).toMatchObject({ ratio: 0.4, isMet: false });
  expect(lines).toContain(
    '| good | 8 | 10 | 0.8 | service 12 µs | service 8 (client 1) µs | 1.5 |',
  );
  expect(lines).toContain('| bad | 4 | 10 | 0.4 |  | (client 3) µs |  |');
});

test('the worst case of a table with an upper limit is the largest', async () => {
  const cases = [
    { name: 'good', ours: side([9, 2, 2, 2]), anchor: side([9, 1, 1, 1]) },
    { name: 'bad', ours: side([9, 3, 3, 3]), anchor: side([9, 1, 1, 1]) },
  ];
  const { report } = await run({
    ...HEAD,
    goal: { ratio: 2, is: 'at most' },
    openCases: async () => ({ cases, close: async () => {} }),
  });
  expect(report).toMatchObject({ ratio: 3, isMet: false });
});

test('only the requested cases are measured; a text that matches no case is an error', () => {
  const cases = [{ name: '/account/bills' }, { name: '/account/info' }];
  expect(chosenCases(cases, 'bills')).toEqual([{ name: '/account/bills' }]);
  expect(chosenCases(cases, '')).toEqual(cases);
  expect(() => chosenCases(cases, 'earnings')).toThrow('no case has earnings in its name');
});

test('an entry that cannot run here prints the reason and is left out', async () => {
  const { lines, report } = await run(
    entryOf(side([]), side([]), { ratio: 1, is: 'at least' }, 'PROBE is not set'),
  );
  expect(report).toBeUndefined();
  expect(lines.at(-1)).toBe('probe: skipped: PROBE is not set');
});

test('figures', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(isMet(0.61, { ratio: 0.6, is: 'at least' })).toBe(true);
  expect(isMet(1.6, { ratio: 1.5, is: 'at most' })).toBe(false);
  expect([round(1234.5), round(0.61234), round(12.345)]).toEqual(['1235', '0.612', '12.3']);
});

test('times of a process are read after its name, whatever characters the name contains', () => {
  const line =
    '42 (a ) b (c 7) S 1 42 42 0 -1 4194560 10 20 30 40 100 20 3 4 20 0 1 0 5000 1000 200';
  expect(parseStat(line)).toEqual({ parent: 1, own: 120, ended: 7 });
});

test('times are given for each operation, and only where both readings have them', () => {
  const before = { service_us: 1000, database_us: 500 };
  expect(differ(before, { service_us: 3000, client_us: 9 }, 4)).toEqual({ service_us: 500 });
  expect(
    medianTime([{ service_us: 1 }, { service_us: 3, database_us: 4 }, { service_us: 2 }]),
  ).toEqual({ service_us: 2, database_us: 4 });
  expect(showTime({ service_us: 210.4, database_us: 13.04, client_us: 2 })).toBe(
    'service 210 + database 13 (client 2) µs',
  );
  expect(showTime({})).toBe('');
});

/** Spins until this process has used so much processor time. */
function burn(microseconds: number): void {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system >= microseconds) return;
  }
}

test.skipIf(!canReadProcesses)(
  'the processor time of a process and of its parent’s children grows by what it uses',
  async () => {
    const parent = findPostmaster(process.pid) ?? 0;
    expect(parent).toBe(process.ppid);
    const [own, family] = [readProcessTime(process.pid) ?? 0, readFamilyTime(parent) ?? 0];
    const { figure, processor } = await withProcessorTime({ service: process.pid }, async () => {
      burn(100_000);
      return { figure: 7, operations: 2, client_us: 6 };
    });
    // The kernel counts in ticks of 10 ms.
    expect((readProcessTime(process.pid) ?? 0) - own).toBeGreaterThanOrEqual(80_000);
    expect((readFamilyTime(parent) ?? 0) - family).toBeGreaterThanOrEqual(80_000);
    expect(figure).toBe(7);
    expect(processor.service_us).toBeGreaterThanOrEqual(40_000);
    expect(processor.client_us).toBe(3);
    expect(processor.database_us).toBeUndefined();
  },
);

test('a process that has ended has no time', () => {
  expect(readProcessTime(2 ** 30)).toBeUndefined();
  expect(readFamilyTime(2 ** 30)).toBeUndefined();
});

test('every entry has a row in RESULTS.md, and every row an entry', () => {
  const entries = readdirSync(new URL('../entries/', import.meta.url));
  const results = readFileSync(new URL('../RESULTS.md', import.meta.url), 'utf8');
  const rows = [...results.matchAll(/^\| `([a-z-]+)/gm)].map(([, name]) => `${name}.ts`);
  expect([...new Set(rows)].sort()).toEqual(entries.sort());
});
