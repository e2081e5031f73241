/** Runs the drills; figures of this machine are printed and not judged. */
import { expect, test } from 'vitest';
import { DRILL_NAMES, loadDrill } from '../../drills/harness/list-drills.ts';
import { runDrill } from '../../drills/harness/run-drill.ts';
import { sized } from './support/scale.ts';

const drills = await Promise.all(DRILL_NAMES.map(loadDrill));
const withLong = sized({ quick: false, full: false, soak: true });

for (const drill of drills) {
  const why = drill.missing?.() ?? (drill.isLong && !withLong ? 'long: soak' : undefined);
  test.skipIf(why !== undefined)(
    `${drill.name}${why === undefined ? '' : ` (skipped: ${why})`}`,
    { timeout: 600_000 },
    async () => {
      const findings = (await runDrill(drill, console.log)) ?? [];
      expect(findings.length).toBeGreaterThan(0);
      expect(findings.filter(({ isMet, isTimed }) => !isMet && !isTimed)).toEqual([]);
    },
  );
}
