import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';

const isWholeProgram = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/');

/**
 * The tests of whole programs and pages first: they wait for other processes and take longest, and one that began last
 * would keep the run alone. Vitest knows how long a file takes only after the first run of a clone.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isWholeProgram), ...sorted.filter((file) => !isWholeProgram(file))];
  }
}

/** Names what passed only when it ran once more: each of them is something to look into. */
function createFlakyReporter(): Reporter {
  const flaky: string[] = [];
  return {
    onTestCaseResult: (test) => {
      if (test.diagnostic()?.flaky)
        flaky.push(`${test.module.relativeModuleId} > ${test.fullName}`);
    },
    onTestRunEnd: () => {
      for (const name of flaky) console.log(`passed only at the second try: ${name}`);
    },
  };
}

export default defineConfig({
  test: {
    include: ['{service,sdk,terminal,console,bench,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: ['service/test/support/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    // Two cores: more workers only wait for each other, and an embedded database takes half a gigabyte.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Browsers, chains and databases share two cores: what failed runs once more, and is named at the end.
    retry: 1,
    reporters: ['default', createFlakyReporter()],
    // As long as a page that is given a slice of a busy machine may take; one second by default.
    expect: { poll: { timeout: 15_000 } },
    // The embedded database compiled simply: most files are done before its optimised WebAssembly would be.
    execArgv: ['--disable-warning=ExperimentalWarning', '--liftoff-only'],
  },
});
