/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const walletSignInOperations = describeOperations('sign-in', {
  startWalletSignIn: {
    summary: 'Start a sign-in by a wallet',
    description:
      'Answers a message (EIP-4361) that the wallet signs. Nothing is stored; the challenge can ' +
      'be answered once, by this browser only.',
    failures: ['rate_limited'],
  },
  finishWalletSignIn: {
    summary: 'Finish a sign-in by a wallet',
    description:
      'Takes the signature of a wallet that the user has linked. It takes the place of the ' +
      'password: `/user/login/2fa` follows. Contract wallets sign by EIP-1271 or EIP-6492, on ' +
      'the chain on which they were linked, which this service must know.',
    failures: [
      ...(['invalid_ticket', 'wallet_unknown', 'wallet_signature_invalid'] as const),
      ...(['account_disabled', 'rate_limited'] as const),
    ],
  },
});

export const walletLinkOperations = describeOperations('second-factors', {
  startWalletLink: {
    summary: 'Start to link a wallet',
    description:
      'Answers a message that the wallet signs. Needs a fresh proof (`/me/reauthenticate`).',
    failures: ['reauthentication_required', 'rate_limited'],
  },
  linkWallet: {
    summary: 'Link a wallet',
    description:
      'Takes the signature, in the session that started. The wallet then signs in, with the ' +
      'second factor. Answers the linked accounts. Needs a fresh proof (`/me/reauthenticate`).',
    failures: [
      ...(['reauthentication_required', 'invalid_ticket', 'rate_limited'] as const),
      ...(['wallet_signature_invalid', 'upstream_identity_taken'] as const),
      'linked_account_limit',
    ],
  },
});
