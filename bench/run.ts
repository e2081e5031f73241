/**
 * `npm run bench` lists the benchmarks; `npm run bench NAME …` runs them, with `-- --quick` for a
 * first look. One file each in `bench/entries/`.
 */
import { readdirSync } from 'node:fs';
import type { BenchEntry } from './harness/entry.ts';
import { runEntry } from './harness/run-entry.ts';

const FOLDER = new URL('./entries/', import.meta.url);

const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

async function load(name: string): Promise<BenchEntry> {
  const module = (await import(new URL(`${name}.ts`, FOLDER).href)) as { default: BenchEntry };
  return module.default;
}

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no benchmark is called ${unknown.join(', ')}; there are: ${names.join(', ')}`);
  process.exit(2);
}
if (wanted.length === 0) {
  for (const name of names) {
    const { summary, goal } = await load(name);
    console.log(`${name.padEnd(18)} ${summary} (goal: ${goal.is} ${goal.ratio})`);
  }
}
for (const name of wanted) await runEntry(await load(name), console.log);
