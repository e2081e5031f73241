/**
 * A reporter that prints the slowest files, and stores all durations if `TEST_DURATIONS` is
 * `write`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { durationsFile } from './durations.ts';

const SHOWN = 20;

/** Merges measured durations into stored ones, sorted by file; deleted files are removed. */
export function mergeDurations(
  known: Readonly<Record<string, number>>,
  measured: Readonly<Record<string, number>>,
  exists: (path: string) => boolean,
): Record<string, number> {
  const merged = Object.entries({ ...known, ...measured }).filter(([path]) => exists(path));
  return Object.fromEntries(merged.sort(([one], [other]) => (one < other ? -1 : 1)));
}

export default class SlowestFiles implements Reporter {
  readonly #seconds: Record<string, number> = {};

  onTestModuleEnd(module: TestModule): void {
    const { collectDuration, duration } = module.diagnostic();
    this.#seconds[module.relativeModuleId] = Math.round((collectDuration + duration) / 100) / 10;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const slowest = Object.entries(this.#seconds).sort(([, one], [, other]) => other - one);
    console.log(`\n the ${SHOWN} slowest of ${slowest.length} files`);
    for (const [path, seconds] of slowest.slice(0, SHOWN))
      console.log(`${seconds.toFixed(1).padStart(8)} s  ${path}`);
    if (process.env.TEST_DURATIONS !== 'write') return;
    const known = JSON.parse(readFileSync(durationsFile, 'utf8')) as Record<string, number>;
    const ran = new Set(modules.map(({ relativeModuleId }) => relativeModuleId));
    const merged = mergeDurations(known, this.#seconds, (path) => ran.has(path));
    writeFileSync(durationsFile, `${JSON.stringify(merged, null, 2)}\n`);
  }
}
