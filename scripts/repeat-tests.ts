/**
 * `npm run test:repeat -- N [--busy] [--without-check]`: runs `npm test` N times and prints how
 * often each test failed. `--busy` runs two busy loops beside it, like other programs of the
 * machine. `--without-check` runs the tests only: the check has the same result each time.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

const BUSY_LOOPS = 2;

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The names of all failures in a run, with files that could not be run. */
export function findFailures({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${name} > ${fullName}`);
    return failed.length === 0 && message !== '' ? [`${name}: ${message}`] : failed;
  });
}

function runOnce(
  folder: string,
  turn: number,
  script: readonly string[],
): { readonly failures: string[]; readonly seconds: number } {
  const file = join(folder, `${turn}.json`);
  const start = performance.now();
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const { status } = spawnSync('npm', [...script, '--', ...reporters], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const seconds = (performance.now() - start) / 1000;
  const failures = findFailures(JSON.parse(readFileSync(file, 'utf8')) as Report);
  return { failures: status !== 0 && failures.length === 0 ? ['the check'] : failures, seconds };
}

function main(): void {
  const { values, positionals } = parseArgs({
    options: {
      busy: { type: 'boolean', default: false },
      'without-check': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const turns = Number(positionals[0] ?? 20);
  const script = values['without-check'] ? ['exec', 'vitest', 'run'] : ['test'];
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-repeat-'));
  const loops = Array.from(
    { length: values.busy ? BUSY_LOOPS : 0 },
    () => new Worker('for (;;);', { eval: true }),
  );
  const counts = new Map<string, number>();
  const all: number[] = [];
  for (let turn = 1; turn <= turns; turn++) {
    const { failures, seconds } = runOnce(folder, turn, script);
    all.push(seconds);
    for (const failure of failures) counts.set(failure, (counts.get(failure) ?? 0) + 1);
    const result = failures.length === 0 ? 'all passed' : `failed: ${failures.join('; ')}`;
    console.log(`${turn}/${turns}: ${seconds.toFixed(0)} s, ${result}`);
  }
  for (const loop of loops) void loop.terminate();
  rmSync(folder, { recursive: true, force: true });
  const load = values.busy ? `beside ${BUSY_LOOPS} busy loops` : 'alone';
  const range = `${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)} s`;
  console.log(`\n${turns} runs ${load}: ${range} each`);
  if (counts.size === 0) console.log('nothing failed');
  for (const [name, count] of counts) console.log(`failed ${count} times: ${name}`);
  process.exitCode = counts.size === 0 ? 0 : 1;
}

if (import.meta.main) main();
