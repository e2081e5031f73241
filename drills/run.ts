/**
 * `npm run drill` lists the drills; `npm run drill NAME …` runs them, `npm run drill all` all of
 * them. The exit code is 1 when one fails.
 */
import { DRILL_NAMES, loadDrill } from './harness/list-drills.ts';
import { runDrill } from './harness/run-drill.ts';

const words = process.argv.slice(2);
const wanted = words.includes('all') ? DRILL_NAMES : words;
const unknown = wanted.filter((name) => !DRILL_NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`no drill is called ${unknown.join(', ')}; there are: ${DRILL_NAMES.join(', ')}`);
  process.exit(2);
}
if (wanted.length === 0)
  for (const name of DRILL_NAMES)
    console.log(`${name.padEnd(18)} ${(await loadDrill(name)).summary}`);
for (const name of wanted) {
  const findings = await runDrill(await loadDrill(name), console.log);
  if (findings?.some(({ isMet }) => !isMet)) process.exitCode = 1;
}
