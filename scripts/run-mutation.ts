/** `npm run mutation [-- PART …]`: Stryker changes each part, one place at a time. */
import { spawnSync } from 'node:child_process';
import { MUTATION_PARTS } from './tests/mutation-parts.ts';

const STRYKER = new URL('../node_modules/@stryker-mutator/core/bin/stryker.js', import.meta.url);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(MUTATION_PARTS, name));
if (unknown.length > 0) throw new Error(`no part is named ${unknown.join(', ')}`);

for (const [name, { mutate }] of Object.entries(MUTATION_PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}: ${mutate.join(' ')}`);
  const { status } = spawnSync(
    process.execPath,
    [STRYKER.pathname, 'run', '--mutate', mutate.join(',')],
    { stdio: 'inherit', env: { ...process.env, MUTATION_PART: name } },
  );
  if (status !== 0) process.exitCode = 1;
}
