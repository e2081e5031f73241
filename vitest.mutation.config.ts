import { defineConfig } from 'vitest/config';

/** The tests that know the files which `stryker.config.json` mutates. */
export default defineConfig({
  test: {
    include: [
      'service/src/lib/money.test.ts',
      'service/src/ledger/{known-books,post-transfers,holds,close-accounts}.test.ts',
      'service/src/rewards/proofs/*.test.ts',
      'sdk/src/reward-proof/*.test.ts',
      'service/src/community/{routes,roll-up,list-members,verify-community}.test.ts',
      'service/src/oidc/guard/*.test.ts',
      'service/src/oidc/provider/redemption.test.ts',
    ],
    globalSetup: ['service/test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    execArgv: ['--disable-warning=ExperimentalWarning', '--liftoff-only'],
  },
});
