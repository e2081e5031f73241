import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{service,sdk,terminal,console,bench,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: ['service/test/support/global-setup.ts'],
    // Two cores: more workers only wait for each other, and an embedded database takes half a gigabyte.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // The embedded database compiled simply: most files are done before its optimised WebAssembly would be.
    execArgv: ['--disable-warning=ExperimentalWarning', '--liftoff-only'],
  },
});
