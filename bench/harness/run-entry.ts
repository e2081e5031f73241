/**
 * Runs one benchmark: a warm-up, then both sides in turn, so that the machine's drift meets both.
 */
import { describeMachine } from './describe-machine.ts';
import {
  type BenchComparison,
  type BenchEntry,
  type BenchPair,
  type BenchTable,
  isMet,
  median,
  medianTime,
  round,
  showTime,
  showTimeRatio,
  toMeasured,
} from './entry.ts';
import type { Measured, ProcessorTime } from './processor-time.ts';
import { chosenCases, roundsOf, sized } from './sizes.ts';

const ROUNDS = 5;

export interface BenchReport {
  readonly ratio: number;
  readonly isMet: boolean;
  /** The closing line. */
  readonly line: string;
}

type Print = (line: string) => void;

/** What all rounds of a pair came to. */
interface PairReport {
  readonly ours: number;
  readonly anchor: number;
  /** Median of the ratios of the rounds. */
  readonly ratio: number;
  readonly ourTime: ProcessorTime;
  readonly anchorTime: ProcessorTime;
}

interface PairRound {
  readonly ours: Measured;
  readonly anchor: Measured;
}

async function runRound({ ours, anchor }: BenchPair): Promise<PairRound> {
  return { ours: toMeasured(await ours()), anchor: toMeasured(await anchor()) };
}

function report(rounds: readonly PairRound[]): PairReport {
  const [ours, anchors] = [rounds.map((one) => one.ours), rounds.map((one) => one.anchor)];
  return {
    ours: median(ours.map(({ figure }) => figure)),
    anchor: median(anchors.map(({ figure }) => figure)),
    ratio: median(rounds.map((one) => one.ours.figure / one.anchor.figure)),
    ourTime: medianTime(ours.map(({ processor }) => processor)),
    anchorTime: medianTime(anchors.map(({ processor }) => processor)),
  };
}

/** Both sides' processor time for each operation, where there is any. */
function describeTime(entry: BenchEntry, ours: ProcessorTime, anchor: ProcessorTime): string[] {
  const [our, other] = [showTime(ours), showTime(anchor)];
  if (our === '' && other === '') return [];
  return [
    `processor time of each ${entry.operation ?? 'operation'}: ours ` +
      `${our || 'not measured'}, anchor ${other || 'not measured'}`,
  ];
}

async function warmUp({ ours, anchor }: BenchPair, entry: BenchEntry): Promise<void> {
  const times = entry.warmUps ?? 1;
  if (times === 0) return;
  for (let i = 0; i < Math.min(times, sized(times, 1)); i++) await ours();
  await anchor();
}

async function runComparison(entry: BenchComparison, print: Print): Promise<number> {
  const sides = await entry.open();
  const rounds: PairRound[] = [];
  try {
    await warmUp(sides, entry);
    for (let i = 1; i <= roundsOf(entry.rounds ?? ROUNDS); i++) {
      const one = await runRound(sides);
      rounds.push(one);
      const [our, anchor] = [one.ours.figure, one.anchor.figure];
      print(
        `round ${i}: ours ${round(our)} ${entry.unit}, anchor ${round(anchor)} ` +
          `${entry.unit}, ratio ${round(our / anchor)}`,
      );
      for (const line of describeTime(entry, one.ours.processor, one.anchor.processor))
        print(`  ${line}`);
    }
    for (const [name, figure] of Object.entries((await sides.further?.()) ?? {}))
      print(`${name}: ${figure}`);
  } finally {
    await sides.close();
  }
  const whole = report(rounds);
  print(
    `median: ours ${round(whole.ours)} ${entry.unit}, anchor ${round(whole.anchor)} ${entry.unit}`,
  );
  for (const line of describeTime(entry, whole.ourTime, whole.anchorTime)) print(`median ${line}`);
  return whole.ratio;
}

function printTable(
  entry: BenchEntry,
  reports: ReadonlyMap<string, PairReport>,
  print: Print,
): void {
  const each = `of each ${entry.operation ?? 'operation'}`;
  print(
    `| case | ours, ${entry.unit} | anchor, ${entry.unit} | ratio | processor time ` +
      `${each}: ours | anchor | ours ÷ anchor |`,
  );
  print('|---|---|---|---|---|---|---|');
  for (const [name, { ours, anchor, ratio, ourTime, anchorTime }] of reports) {
    const times = [showTime(ourTime), showTime(anchorTime), showTimeRatio(ourTime, anchorTime)];
    print(`| ${[name, round(ours), round(anchor), round(ratio), ...times].join(' | ')} |`);
  }
}

/** Each round goes through all cases, so that the machine's drift meets them alike. */
async function runTable(entry: BenchTable, print: Print): Promise<number> {
  const { cases: all, further, close } = await entry.openCases();
  const rounds = new Map<string, PairRound[]>();
  try {
    const cases = chosenCases(all);
    for (const { name } of cases) rounds.set(name, []);
    for (const one of cases) await warmUp(one, entry);
    for (let i = 1; i <= roundsOf(entry.rounds ?? ROUNDS); i++) {
      for (const one of cases) rounds.get(one.name)?.push(await runRound(one));
      print(`round ${i} of ${cases.length} cases`);
    }
    for (const [name, figure] of Object.entries((await further?.()) ?? {}))
      print(`${name}: ${figure}`);
  } finally {
    await close();
  }
  const reports = new Map([...rounds].map(([name, list]) => [name, report(list)]));
  printTable(entry, reports, print);
  const ratios = [...reports.values()].map(({ ratio }) => ratio);
  return entry.goal.is === 'at least' ? Math.min(...ratios) : Math.max(...ratios);
}

/**
 * Runs an entry and prints what it finds; undefined when it cannot run here, with the reason
 * printed.
 */
export async function runEntry(entry: BenchEntry, print: Print): Promise<BenchReport | undefined> {
  print(`${entry.name}: ${entry.summary}`);
  const missing = entry.missing?.();
  if (missing !== undefined) {
    print(`${entry.name}: skipped: ${missing}`);
    return undefined;
  }
  print(describeMachine());
  const ratio = 'open' in entry ? await runComparison(entry, print) : await runTable(entry, print);
  const met = isMet(ratio, entry.goal);
  const line =
    `${entry.name}: ratio ${round(ratio)} (goal ` +
    `${entry.goal.is === 'at least' ? '≥' : '≤'} ${entry.goal.ratio}): ` +
    `${met ? 'met' : 'missed'}`;
  print(line);
  return { ratio, isMet: met, line };
}
