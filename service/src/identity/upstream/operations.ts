/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

const REDEEM = ['invalid_ticket', 'not_found', 'upstream_refused', 'upstream_unreachable'] as const;

export const signInOperations = describeOperations('sign-in', {
  listSignInProviders: {
    summary: 'Other providers at which users can sign in',
    description: 'The OpenID providers that the operator has enabled, by id.',
  },
  startUpstreamSignIn: {
    summary: 'Start a sign-in at another provider',
    description:
      'Answers the address to which the browser goes: an authorization request with PKCE, state ' +
      'and nonce. The provider sends the browser back to `/sign-in/upstream/{provider}` of this ' +
      'service.',
    failures: ['not_found', 'rate_limited', 'upstream_unreachable'],
  },
  receiveUpstreamForm: {
    summary: 'Receive the browser from a provider that posts a form',
    description:
      'OAuth 2.0 Form Post Response Mode. Sends the browser to the page at the same path, with ' +
      'the parameters of the form.',
  },
  finishUpstreamSignIn: {
    summary: 'Finish a sign-in at another provider',
    description:
      'Takes the parameters with which the provider sent the browser back, from the browser that ' +
      'started. `next` says what follows. `second_factor`: as after a password, ' +
      '`/user/login/2fa`; it links the account. `signed_in`: the account is linked, and the ' +
      'operator accepts the second factor of the provider. `registration`: no account here ' +
      'belongs to it, `/user/register/upstream` begins one.',
    failures: [...REDEEM, 'upstream_email_unverified', 'account_disabled', 'rate_limited'],
  },
  registerUpstream: {
    summary: 'Register an account for an account of another provider',
    description:
      'Mails a code to the address. `/user/register/verify` takes it and creates the account, ' +
      'without a password and linked to the account of the provider.',
    failures: ['invalid_ticket', 'rate_limited', 'challenge_required'],
  },
});

export const identityOperations = describeOperations('second-factors', {
  listUpstreamIdentities: {
    summary: 'Linked accounts of other providers',
    description: 'The accounts with which the user can sign in, and the providers to link more.',
  },
  startUpstreamLink: {
    summary: 'Start to link an account of another provider',
    description:
      'Answers the address to which the browser goes. Needs a fresh proof (`/me/reauthenticate`).',
    failures: ['reauthentication_required', 'not_found', 'rate_limited', 'upstream_unreachable'],
  },
  linkUpstreamIdentity: {
    summary: 'Link the account of another provider',
    description:
      'Takes the parameters with which the provider sent the browser back, from the session that ' +
      'started. At most 20 accounts and wallets are linked. Answers the linked accounts. Needs a ' +
      'fresh proof (`/me/reauthenticate`).',
    failures: [
      ...REDEEM,
      ...(['reauthentication_required', 'upstream_identity_taken'] as const),
      ...(['linked_account_limit', 'rate_limited'] as const),
    ],
  },
  unlinkUpstreamIdentity: {
    summary: 'Unlink an account of another provider',
    description:
      'The last way to sign in stays: a user without a password sets one by a reset first. Needs ' +
      'a fresh proof (`/me/reauthenticate`).',
    failures: ['reauthentication_required', 'last_sign_in_method'],
  },
});
