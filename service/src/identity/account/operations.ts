/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('account', {
  getMe: {
    summary: 'The signed-in user',
    description:
      'The person whose token is presented: address, nickname, referral code and second ' +
      'factors.',
    failures: ['not_found'],
  },
  updateMe: {
    summary: 'Change the nickname',
    description: 'Changes the nickname, which referrers and referred people see.',
    failures: ['not_found'],
  },
  startReauthentication: {
    summary: 'Verify the password again',
    description:
      'First step of proving again who is there, which changes of the account require. Answers ' +
      'a ticket for `/me/reauthenticate/2fa`.',
    failures: ['invalid_credentials', 'rate_limited'],
  },
  sendReauthenticationCode: {
    summary: 'Mail the code of a reauthentication',
    description: 'Mails the code of a reauthentication, where EMAIL is one of the methods.',
    failures: ['invalid_ticket', 'method_unavailable', 'rate_limited'],
  },
  createReauthenticationPasskeyOptions: {
    summary: 'Create the passkey challenge of a reauthentication',
    description:
      'Options for `navigator.credentials.get`. The result is the `passkey_credential` of ' +
      '`/me/reauthenticate/2fa`.',
    failures: ['invalid_ticket', 'method_unavailable'],
  },
  finishReauthentication: {
    summary: 'Verify the second factor again',
    description: 'Verifies one factor. For some minutes this session may then change the account.',
    failures: [
      'invalid_ticket',
      'invalid_code',
      'method_unavailable',
      'account_disabled',
      'rate_limited',
    ],
  },
  changePassword: {
    summary: 'Change the password',
    description:
      'Ends all other sessions unless the body says otherwise, and mails a notice. Needs a ' +
      'fresh proof (`/me/reauthenticate`).',
    failures: ['reauthentication_required', 'not_found', 'invalid_credentials', 'rate_limited'],
  },
  startEmailChange: {
    summary: 'Start a change of the email address',
    description:
      'Mails one code to the present address and one to the new one. Needs a fresh proof ' +
      '(`/me/reauthenticate`).',
    failures: ['reauthentication_required', 'rate_limited', 'not_found'],
  },
  finishEmailChange: {
    summary: 'Verify both addresses and change',
    description: 'Takes the codes of both mailboxes and changes the address.',
    failures: [
      'invalid_ticket',
      'invalid_code',
      'reauthentication_required',
      'rate_limited',
      'not_found',
    ],
  },
  closeAccount: {
    summary: 'Close the account permanently',
    description:
      'Cannot be undone. Refused while wallets hold money, unless the body gives it up. Needs ' +
      'a fresh proof (`/me/reauthenticate`).',
    failures: [
      'reauthentication_required',
      'account_not_empty',
      'not_found',
      'invalid_credentials',
      'rate_limited',
    ],
  },
  listSessions: {
    summary: 'Sessions of the user',
    description:
      'Where the person is signed in: address and browser, how and when; the calling session ' +
      'is marked.',
  },
  endSession: {
    summary: 'End one session',
    description: 'The tokens of that session are refused at once, on every instance.',
  },
  endOtherSessions: {
    summary: 'End all other sessions',
    description: 'All sessions but the calling one; answers how many were ended.',
  },
  listSecurityEvents: {
    summary: 'Security log of the account',
    description: 'Sign-ins and changes of the account, newest first, with address and browser.',
  },
});
