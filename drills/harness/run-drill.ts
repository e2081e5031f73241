/** Runs one drill, prints what it finds, and closes what it opened. */
import { inspect } from 'node:util';
import { describeMachine } from '../../bench/harness/describe-machine.ts';
import { type Drill, DrillReport, type Finding } from './drill.ts';

type Print = (line: string) => void;

/** Ends the drill's processes when it is interrupted. */
function closeAtSignals(report: DrillReport): () => void {
  const end = (signal: NodeJS.Signals): void => {
    void report.close().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.once('SIGINT', end).once('SIGTERM', end);
  return () => process.off('SIGINT', end).off('SIGTERM', end);
}

/** @returns what it found; undefined when it cannot run here, with the reason printed */
export async function runDrill(drill: Drill, print: Print): Promise<Finding[] | undefined> {
  print(`${drill.name}: ${drill.summary}`);
  const missing = drill.missing?.();
  if (missing !== undefined) {
    print(`${drill.name}: skipped: ${missing}`);
    return undefined;
  }
  print(describeMachine());
  const report = new DrillReport(print);
  const release = closeAtSignals(report);
  try {
    await drill.run(report);
  } catch (error) {
    report.check(`the drill ended early: ${inspect(error)}`, false);
  } finally {
    await report.close();
    release();
  }
  const { findings, skipped } = report;
  const failed = findings.filter(({ isMet }) => !isMet).length;
  const result = failed === 0 ? 'pass' : `FAIL (${failed} of ${findings.length})`;
  const left = skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
  print(`${drill.name}: ${result}${left}; what an operator does: docs/${drill.guide}`);
  return findings;
}
