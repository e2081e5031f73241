/** Account, sign-in and applications. */
import { fileOf, text } from './person-file.ts';

const SECRET = 'a secret, or its hash';
const ENCRYPTED = 'encrypted values of columns that are shown';
const DUPLICATE = 'derived from another column';

/** Sessions of the user; an application session belongs to one. */
const OF_SESSION = 't.sid in (select sid from user_session where user_id = :user_id)';

/** Deliveries of event `t`, each by its key: there are few webhooks, and very many deliveries. */
const DELIVERIES = `coalesce((
  select jsonb_agg(jsonb_build_object('webhook_id', w.id, 'state', d.state,
      'attempts', d.attempts_before + d.attempts, 'last_status', d.last_status,
      'delivered_at', d.delivered_at, 'created_at', d.created_at) order by w.id)
  from webhook w cross join lateral (select * from webhook_delivery
    where webhook_id = w.id and event_position = t.position limit 1) d), '[]')`;

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
  fileOf('upstream_identity', {
    description: 'Linked accounts of other providers.',
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
  fileOf('user_note', {
    description: 'Notes that the operator wrote about the user.',
    isSealed: true,
    // Of the encrypted values, in no column of its own.
    shown: { text: text("''") },
    omitted: {
      sealed: ENCRYPTED,
      author_id: 'names staff of the operator',
      client_id: 'names staff of the operator',
    },
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
    omitted: { body: 'has codes; deleted when the mail is sent', unsubscribe_url: SECRET },
    keys: ['t.id'],
  }),
  fileOf('notification', {
    description: 'Notifications of the last months, the newest 200.',
    keys: ['t.id'],
    omitted: { cause: 'how the service recognises what was notified already' },
  }),
  fileOf('notification_choice', {
    description: 'Which notifications are received and how, where that differs from the defaults.',
    keys: ['t.kind', 't.channel'],
  }),
  fileOf('notification_setting', {
    description: 'Further choices about notifications.',
    keys: ['t.user_id'],
  }),
  fileOf('notification_mail', {
    description: 'When the next mail of notifications is due, and when the last one was sent.',
    keys: ['t.user_id'],
  }),
  fileOf('push_subscription', {
    description:
      'Browsers that get notifications: how they name themselves, and since when. Messages pass ' +
      'the push services of their vendors, encrypted for the browser.',
    isSealed: true,
    keys: ['t.id'],
    // Of the encrypted values, in no column of its own.
    shown: { user_agent: text("''") },
    omitted: { sealed: ENCRYPTED, target_sealed: SECRET, endpoint_hash: SECRET },
  }),
  fileOf('idempotency', {
    description: 'Requests of the last days that change something, and the answers to them.',
    // The answers to an operator are about others.
    where: "t.caller = 'user:' || (:user_id::bigint)::text and t.route not like '% /operator/%'",
    omitted: { body_strings: DUPLICATE, request_hash: 'a hash of the request' },
    keys: ['t.route', 't.key'],
  }),
  fileOf('event', {
    description:
      'Events of the last days, as the event stream shows them, and their deliveries to servers ' +
      'of the operator.',
    also: ['webhook_delivery', 'webhook'],
    where: 't.user_id = :user_id and t.position is not null',
    shown: { deliveries: [DELIVERIES, 'any'] },
    keys: ['t.position'],
  }),
] as const;
