/**
 * The files that `npm run mutation` changes, and the tests that must detect it. Each change runs
 * against the tests of its part only.
 */
export interface MutationPart {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

export const MUTATION_PARTS: Readonly<Record<string, MutationPart>> = {
  money: {
    mutate: ['service/src/lib/money.ts'],
    tests: ['service/src/lib/money.test.ts'],
  },
  books: {
    mutate: ['service/src/ledger/batch-state.ts'],
    tests: [
      'service/src/ledger/{post-transfers,persist-batch,holds,close-accounts}.test.ts',
      'service/test/ledger/invariants.test.ts',
    ],
  },
  proofs: {
    mutate: ['service/src/rewards/proofs/*.ts', '!service/src/rewards/proofs/*.test.ts'],
    tests: ['service/src/rewards/proofs/*.test.ts', 'sdk/src/reward-proof/*.test.ts'],
  },
  tree: {
    mutate: ['service/src/community/tree.ts'],
    tests: ['service/src/community/{routes,roll-up,list-members,verify-community}.test.ts'],
  },
  guard: {
    mutate: ['service/src/oidc/guard/*.ts', '!service/src/oidc/guard/*.test.ts'],
    // Those without a server: the others take fifteen times as long, and detect little more.
    tests: [
      'service/src/oidc/guard/{authenticator-rules,dpop-proof,dpop-replay-store}.test.ts',
      'service/src/oidc/guard/verify-access-token.test.ts',
    ],
  },
};
