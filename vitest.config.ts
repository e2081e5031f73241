import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { LongestFirst } from './scripts/tests/longest-first.ts';
import { isPartOfRun, listTestFiles, type TestKind } from './scripts/tests/test-kinds.ts';

const { TEST_RUN: run, TEST_ENGINE: engine, TEST_FILES } = process.env;
const files = listTestFiles(import.meta.dirname).filter((file) =>
  isPartOfRun(file, { run, engine, files: TEST_FILES }, process.argv),
);

/** docs/testing.md tells what belongs where. */
function project(
  name: TestKind,
  more: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  const include = files.filter(({ kind }) => kind === name).map(({ path }) => path);
  return { extends: true, test: { name, include, ...more } };
}

// Each needs the run's PostgreSQL; whichever begins first starts it for both.
const globalSetup = ['service/test/support/global-setup.ts'];
const browserSetup = [...globalSetup, 'service/test/support/unpack-for-run.ts'];

export default defineConfig({
  test: {
    projects: [
      project('browser', { globalSetup: browserSetup }),
      project('engine', { globalSetup }),
      project('unit'),
    ],
    sequence: { sequencer: LongestFirst },
    setupFiles: [
      'service/test/support/documented-answers.ts',
      ...(process.env.ROUTE_HITS === undefined ? [] : ['service/test/support/record-routes.ts']),
      ...(process.env.EXAMPLES === undefined ? [] : ['service/test/support/record-examples.ts']),
    ],
    coverage: {
      provider: 'v8',
      include: ['service/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary', 'json-summary', 'html'],
      // The run takes half an hour: its figures are worth having whatever failed.
      reportOnFailure: true,
      // Commands run as processes of their own, and are not counted.
      thresholds: { statements: 92 },
    },
    // A worker keeps what it has imported from file to file: most of a file's time was importing
    // the same again.
    isolate: false,
    pool: 'forks',
    // Much of a test is waiting for another process, so more workers than cores; but each holds a
    // browser.
    maxWorkers: Math.min(availableParallelism() + 2, 8),
    // Limits end what hangs. They are far above what anything takes on a machine that is busy with
    // other things.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Node.js runs the sources as the service does, without another transformation.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // The embedded database compiled simply: most files are done before its optimised WebAssembly
    // would be.
    execArgv: ['--disable-warning=ExperimentalWarning', '--liftoff-only'],
  },
});
