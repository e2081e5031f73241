/** Why a sign-in is over, in words for the person: the codes stay, for programs. */
import { type Failure, failure } from '../../lib/failures.ts';

const WORDS: Readonly<Record<string, string>> = {
  logout: 'signed out',
  logout_everywhere: 'signed out everywhere',
  ended_by_owner: 'its owner ended it',
  password_changed: 'the password was changed',
  password_reset: 'the password was reset',
  authenticator_removed: 'the authenticator was removed',
  passkey_removed: 'a passkey was removed',
  email_factor_changed: 'the way to sign in was changed',
  account_closed: 'the account was closed',
  account_disabled: 'the account is disabled',
  emergency: 'the operator ended every sign-in',
  operator_rights_changed: "the account's rights were changed",
  connection_ended: 'its owner took the access of the application back',
  client_changed: 'the operator changed what the application may do',
  client_removed: 'the operator removed the application',
  revoked_by_client: 'the application ended it',
  grant_revoked: 'the application ended it',
  replayed: 'it was used twice, as if it had been copied',
};

/** The reason of a revocation in words; those of cuts are words already. */
export function describeRevocation(reason: string): string {
  return (
    WORDS[reason] ?? (/^[a-z]+(_[a-z]+)*$/.test(reason) ? reason.replaceAll('_', ' ') : reason)
  );
}

/** The refusal of a token that was revoked. */
export function tokenRevoked(reason: string): Failure {
  return failure('token_revoked', {
    extra: { reason },
    detail: `The sign-in is over: ${describeRevocation(reason)}.`,
  });
}
