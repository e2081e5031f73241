/** Account, sign-in and applications. */
import { fileOf } from './person-file.ts';

const SECRET = 'a secret, or its hash';
const ENCRYPTED = 'encrypted values of columns that are shown';
const DUPLICATE = 'derived from another column';

/** Sessions of the user; an application session belongs to one. */
const OF_SESSION = 't.sid in (select sid from user_session where user_id = :user_id)';

export const IDENTITY_FILES = [
  fileOf('app_user', {
    name: 'account',
    description: 'The account: address, nickname, referrer, status.',
    where: 't.id = :user_id',
    keys: ['t.id'],
    omitted: { password_hash: SECRET, email_key: DUPLICATE },
  }),
  fileOf('user_security', {
    description: 'Security settings, and restrictions after a reset of the password.',
    keys: ['t.user_id'],
  }),
  fileOf('authenticator', {
    description: 'The enrolled authenticator.',
    keys: ['t.user_id'],
    omitted: { secret_sealed: SECRET },
  }),
  fileOf('recovery_code', {
    description: 'Recovery codes: which of them were used.',
    keys: ['t.code_hash'],
    omitted: { salt: SECRET, code_hash: SECRET },
  }),
  fileOf('passkey', {
    description: 'Registered passkeys, with their public keys.',
    keys: ['t.id'],
  }),
  fileOf('user_session', {
    description: 'Sessions, from where they were opened, and when and why they ended.',
    isSealed: true,
    omitted: { sealed: ENCRYPTED },
    keys: ['t.sid'],
  }),
  fileOf('reauthentication', {
    description: 'When a session proved password and second factor again.',
    keys: ['t.sid'],
  }),
  fileOf('ticket', {
    description: 'Verifications in progress.',
    keys: ['t.ticket_hash'],
    omitted: { ticket_hash: SECRET, browser_hash: SECRET, challenge_hash: SECRET },
  }),
  fileOf('security_event', {
    description: 'The security log: what happened to the account, when, and from where.',
    isSealed: true,
    omitted: { sealed: ENCRYPTED, address_hash: 'a hash of the address, which is shown' },
    keys: ['t.id'],
  }),
  fileOf('consent', {
    description: 'Applications that were allowed, with their scopes.',
    keys: ['t.client_id'],
  }),
  fileOf('application_session', {
    description: 'Applications in which a session is signed in.',
    also: ['user_session'],
    where: OF_SESSION,
    keys: ['t.sid', 't.client_id'],
  }),
  fileOf('mail', {
    description:
      'Mails of the last days: kind and times, and the address and subject until a mail is sent.',
    omitted: { body: 'has codes; deleted when the mail is sent' },
    keys: ['t.id'],
  }),
  fileOf('idempotency', {
    description: 'Requests of the last days that change something, and the answers to them.',
    // The answers to an operator are about others.
    where: "t.caller = 'user:' || (:user_id::bigint)::text and t.route not like '% /operator/%'",
    omitted: { body_strings: DUPLICATE, request_hash: 'a hash of the request' },
    keys: ['t.route', 't.key'],
  }),
  fileOf('webhook_delivery', {
    description: 'Events of the last days as they were sent to servers of the operator.',
    also: ['webhook'],
    // Event by event, each by its key: a join of the three could read deliveries of others.
    from: `event e cross join webhook w cross join lateral (select * from webhook_delivery d
      where d.webhook_id = w.id and d.event_position = e.position limit 1) t`,
    where: 'e.user_id = :user_id and e.position is not null',
    omitted: {
      body: 'the event, which is in `event`',
      last_error_code: 'about a server of the operator',
      last_error_values: 'about a server of the operator',
    },
    keys: ['e.position', 'w.id'],
  }),
  fileOf('event', {
    description: 'Events of the last days, as the event stream shows them.',
    where: 't.user_id = :user_id and t.position is not null',
    keys: ['t.position'],
  }),
] as const;
