import { defineConfig } from 'vitest/config';
import { MUTATION_PARTS } from './scripts/tests/mutation-parts.ts';

/** The tests of the part that `scripts/run-mutation.ts` is at. */
export default defineConfig({
  test: {
    include: [...(MUTATION_PARTS[process.env.MUTATION_PART ?? '']?.tests ?? [])],
    globalSetup: ['service/test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
