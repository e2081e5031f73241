/**
 * `npm test [-- --slow] [-- ARGUMENTS OF VITEST]`: runs the check and the tests in parallel. The
 * output of the check is printed when it is done. `--slow` prints the slowest files at the end.
 */
import { spawn } from 'node:child_process';

const VITEST = new URL('../node_modules/vitest/vitest.mjs', import.meta.url).pathname;
const SLOWEST = new URL('./tests/slowest-files.ts', import.meta.url).pathname;

interface Finished {
  readonly code: number;
  readonly output: string;
  readonly seconds: number;
}

/** Runs a program to its end; `isShown` prints its output at once instead of collecting it. */
function run(
  command: string,
  args: readonly string[],
  { isShown }: { isShown: boolean },
): Promise<Finished> {
  const start = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code: code ?? 1, output, seconds: (performance.now() - start) / 1000 }),
    );
  });
}

const rest = process.argv.slice(2).filter((argument) => argument !== '--slow');
const isSlowWanted = rest.length < process.argv.length - 2;
const reporters = isSlowWanted ? ['--reporter=default', `--reporter=${SLOWEST}`] : [];

const checking = run('npm', ['run', '-s', 'check'], { isShown: false }).then((check) => {
  const result = `${check.code === 0 ? 'passed' : 'FAILED'} in ${check.seconds.toFixed(0)} s`;
  process.stdout.write(`${check.output}check: ${result}\n`);
  return check;
});
const node = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  VITEST,
  'run',
  ...reporters,
  ...rest,
] as const;
const testing = run(node[0], node.slice(1), { isShown: true });
const [check, tests] = await Promise.all([checking, testing]);
if (check.code !== 0 && tests.code === 0)
  process.stdout.write('the tests passed, the check failed: see above\n');
process.exitCode = check.code === 0 ? tests.code : 1;
