/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('sign-in', {
  startRegistration: {
    summary: 'Start a registration',
    description:
      'Mails a code to the address and answers a ticket. The answer is the same for an address ' +
      'that has an account already, whose owner receives a mail. The referral code is ' +
      'permanent once the account exists.',
    failures: ['rate_limited', 'challenge_required'],
  },
  getInvitation: {
    summary: 'Get the invitation of a referral code',
    description:
      'For the page that a referral link opens. The code of a closed account is unknown. ' +
      'Requests with unknown codes are limited by address.',
    failures: ['not_found', 'rate_limited'],
  },
  verifyRegistration: {
    summary: 'Verify the address and create the account',
    description:
      'Creates the account, its wallets and its place in the referral tree. A wrong code ' +
      'counts; `tries_left` tells how many remain. The ticket is then a login ticket.',
    failures: ['invalid_ticket', 'invalid_code', 'rate_limited'],
  },
  startLogin: {
    summary: 'Start a login with a password',
    description:
      'First step of a login. It never issues a token: `login_ticket` goes to ' +
      '`/user/login/2fa` together with one of `two_factor_methods`. An unknown address and a ' +
      'wrong password get the same answer.',
    failures: ['invalid_credentials', 'rate_limited', 'challenge_required'],
  },
  sendLoginCode: {
    summary: 'Mail the code of a login ticket',
    description:
      'Mails the code again, or for the first time where another method comes first. Only the ' +
      'browser that started the login can ask for it.',
    failures: ['invalid_ticket', 'method_unavailable', 'rate_limited', 'challenge_required'],
  },
  createLoginPasskeyOptions: {
    summary: 'Create the passkey challenge of a login ticket',
    description:
      'Options for `navigator.credentials.get`. The result is the `passkey_credential` of ' +
      '`/user/login/2fa`.',
    failures: ['invalid_ticket', 'method_unavailable'],
  },
  startPasskeySignIn: {
    summary: 'Start a sign-in by passkey',
    description:
      'Options for `navigator.credentials.get`, also with `mediation: "conditional"` (autofill). ' +
      'No account is named: the browser offers the passkeys that it has. Nothing is stored; the ' +
      'challenge can be answered once, by this browser only, within ten minutes.',
  },
  finishPasskeySignIn: {
    summary: 'Finish a sign-in by passkey',
    description:
      'Takes the assertion, and issues both tokens. The authenticator must verify its user ' +
      '(WebAuthn 7.2), so the passkey is both factors: neither password nor second factor ' +
      'follows.',
    failures: [
      ...(['invalid_ticket', 'passkey_unknown', 'passkey_invalid'] as const),
      ...(['account_disabled', 'rate_limited'] as const),
    ],
  },
  finishLogin: {
    summary: 'Finish a login with a second factor',
    description:
      'Second step of a login: verifies one factor and issues both tokens. A wrong code ' +
      'counts; `tries_left` tells how many remain before the ticket ends.',
    failures: [
      'invalid_ticket',
      'invalid_code',
      'method_unavailable',
      'account_disabled',
      'linked_account_limit',
      'rate_limited',
    ],
  },
  logOut: {
    summary: 'End this session, or all sessions',
    description:
      'The tokens of the session are refused at once, on every instance. `everywhere` ends all ' +
      'sessions and the grants of all applications, too.',
    failures: ['not_own_account', 'insufficient_scope'],
  },
});
