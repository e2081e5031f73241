/** Failures of the sign-in with accounts of other providers, wallets and passkeys. */
export const SIGN_IN_FAILURES = {
  upstream_refused: {
    kind: 'unauthenticated',
    title: 'The other provider did not confirm the sign-in',
  },
  upstream_unreachable: { kind: 'unavailable', title: 'The other provider does not respond' },
  upstream_email_unverified: {
    kind: 'forbidden',
    title: 'The other provider has not verified an email address of the account',
  },
  upstream_identity_taken: {
    kind: 'conflict',
    title: 'The account of the other provider is linked to another account here',
  },
  linked_account_limit: { kind: 'conflict', title: 'Linked account limit reached' },
  wallet_unknown: { kind: 'forbidden', title: 'No account here has linked this wallet' },
  wallet_signature_invalid: {
    kind: 'unauthenticated',
    title: 'The signature is not one of this wallet, or the contract is not linked on this chain',
  },
  passkey_unknown: { kind: 'unauthenticated', title: 'No account here has this passkey' },
  passkey_invalid: {
    kind: 'unauthenticated',
    title: 'The passkey did not verify its user, or does not answer this challenge',
  },
} as const;
