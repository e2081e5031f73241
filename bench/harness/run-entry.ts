/** Runs one benchmark: a warm-up, then both sides in turn, so that the machine's drift meets both. */
import { describeMachine } from './describe-machine.ts';
import { type BenchEntry, isMet, median, round } from './entry.ts';

const ROUNDS = 5;
/** Fewer rounds for a first look: `BENCH_ROUNDS=1 npm run bench join`. */
const ASKED = process.env.BENCH_ROUNDS;

export interface BenchReport {
  readonly ratio: number;
  readonly isMet: boolean;
  /** The closing line. */
  readonly line: string;
}

export async function runEntry(entry: BenchEntry, print: (line: string) => void): Promise<BenchReport> {
  print(`${entry.name}: ${entry.summary}`);
  print(describeMachine());
  const sides = await entry.open();
  const ours: number[] = [];
  const anchors: number[] = [];
  try {
    for (let i = 0; i < (entry.warmUps ?? 1); i++) await sides.ours();
    await sides.anchor();
    const rounds = ASKED === undefined ? (entry.rounds ?? ROUNDS) : Number(ASKED);
    for (let i = 1; i <= rounds; i++) {
      const our = await sides.ours();
      const anchor = await sides.anchor();
      ours.push(our);
      anchors.push(anchor);
      print(`round ${i}: ours ${round(our)} ${entry.unit}, anchor ${round(anchor)} ${entry.unit}, ratio ${round(our / anchor)}`);
    }
    for (const [name, figure] of Object.entries((await sides.further?.()) ?? {})) print(`${name}: ${figure}`);
  } finally {
    await sides.close();
  }
  print(`median: ours ${round(median(ours))} ${entry.unit}, anchor ${round(median(anchors))} ${entry.unit}`);
  const ratio = median(ours.map((our, i) => our / (anchors[i] ?? Number.NaN)));
  const met = isMet(ratio, entry.goal);
  const line = `${entry.name}: ratio ${round(ratio)} (goal ${entry.goal.is === 'at least' ? '≥' : '≤'} ${entry.goal.ratio}): ${met ? 'met' : 'missed'}`;
  print(line);
  return { ratio, isMet: met, line };
}
