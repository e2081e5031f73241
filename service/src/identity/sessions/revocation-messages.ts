/** Messages for the reason codes of revocations. */
import { type Failure, failure } from '../../lib/failures.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  logout: 'signed out',
  logout_everywhere: 'signed out everywhere',
  ended_by_owner: 'its owner ended it',
  password_changed: 'the password was changed',
  password_reset: 'the password was reset',
  authenticator_removed: 'the authenticator was removed',
  passkey_removed: 'a passkey was removed',
  email_factor_changed: 'the second factors were changed',
  account_closed: 'the account was closed',
  ended_by_operator: 'the operator ended it',
  second_factors_reset: 'the operator removed the second factors',
  account_disabled: 'the account is disabled',
  emergency: 'the operator ended every sign-in',
  operator_rights_changed: "the account's rights were changed",
  connection_ended: 'its owner took the access of the application back',
  client_changed: 'the operator changed the permissions of the application',
  client_removed: 'the operator removed the application',
  revoked_by_client: 'the application ended it',
  grant_revoked: 'the application ended it',
  replayed: 'the token was used twice',
  device_disconnected_by_owner: 'disconnected by you',
  device_disconnected_by_key_holder: 'disconnected by the holder of its key',
  device_deleted_by_owner: 'deleted by you',
  device_deleted_by_key_holder: 'deleted by the holder of its key',
};

/** The message of a reason; the reasons of operators are texts already. */
export function describeRevocation(reason: string): string {
  return (
    MESSAGES[reason] ?? (/^[a-z]+(_[a-z]+)*$/.test(reason) ? reason.replaceAll('_', ' ') : reason)
  );
}

/** The error of a revoked token. */
export function tokenRevoked(reason: string): Failure {
  return failure('token_revoked', {
    extra: { reason },
    detail: `The sign-in is over: ${describeRevocation(reason)}.`,
  });
}
