/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('sign-in', {
  startPasswordReset: {
    summary: 'Start a password reset',
    description: 'Mails a code. The answer is the same whether or not the address has an account.',
    failures: ['rate_limited', 'challenge_required'],
  },
  verifyPasswordReset: {
    summary: 'Verify the mailbox of a reset',
    description:
      'Proves that the caller reads the mailbox. Accounts with a strong second factor need ' +
      'that factor in the last step, too.',
    failures: ['invalid_ticket', 'invalid_code', 'rate_limited'],
  },
  createResetPasskeyOptions: {
    summary: 'Create the passkey challenge of a reset',
    description:
      'Options for `navigator.credentials.get`. The result is the `passkey_credential` of ' +
      '`/user/password/reset/complete`.',
    failures: ['invalid_ticket', 'method_unavailable'],
  },
  completePasswordReset: {
    summary: 'Set the new password',
    description:
      'Sets the password and ends all sessions. After a reset by email alone, conversion and ' +
      'withdrawal are frozen for a while.',
    failures: [
      'invalid_ticket',
      'invalid_code',
      'method_unavailable',
      'account_disabled',
      'rate_limited',
    ],
  },
});
