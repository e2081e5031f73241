/**
 * Tickets: 256 random bits that carry a proof from step to step. Only their hash is stored. A
 * ticket is bound to user, purpose and browser; each attempt is counted, and exactly one request
 * consumes it.
 */
import { type Db, defineStatement, execute, type Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { hashSecret, newSecret } from '../lib/ids.ts';
import type { AllTicketRules, TicketPurpose } from './ticket-rules.ts';

export interface TicketContext {
  readonly clock: Clock;
  readonly ticketRules: AllTicketRules;
}

/** An account of an upstream provider. */
export interface UpstreamSubject {
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
}

export interface NewTicket {
  /** `registered`: a login ticket for a new user, with shorter lifetimes. */
  readonly kind: TicketPurpose | 'registered';
  /** Absent: a decoy, for an address without an account. */
  readonly userId?: number;
  readonly emailKey: string;
  /** Cookie of the browser that asked. */
  readonly browser?: string;
  readonly sid?: string;
  readonly newEmail?: string;
  /** The ticket begins with a live email code. */
  readonly hasCode?: boolean;
  /** A secret that the caller already has; default: a new one. */
  readonly secret?: string;
  /** No ticket is issued unless this is still the user's password hash. */
  readonly passwordHash?: string;
  /** The account of a provider that took the place of the password. */
  readonly upstream?: UpstreamSubject;
}

export interface Ticket {
  readonly ticketHash: string;
  readonly purpose: TicketPurpose;
  readonly userId?: number;
  readonly emailKey: string;
  readonly triesLeft: number;
  readonly isCodeLive: boolean;
  readonly isCodeUsed: boolean;
  readonly challengeHash?: string;
  readonly newEmail?: string;
  readonly upstream?: UpstreamSubject;
  readonly expiresAt: Date;
}

interface TicketRow {
  expires_at: Date;
  ticket_hash: string;
  purpose: TicketPurpose;
  user_id: number | null;
  email_key: string;
  tries_left: number;
  code_expires_at: Date | null;
  code_used_at: Date | null;
  challenge_hash: string | null;
  new_email: string | null;
  upstream_issuer: string | null;
  upstream_subject: string | null;
  upstream_email: string | null;
}

/** @throws `invalid_ticket` without a row */
function toTicket(row: TicketRow | undefined, now: Date): Ticket {
  if (!row) throw failure('invalid_ticket');
  const { code_expires_at, code_used_at, upstream_issuer: issuer, upstream_subject: subject } = row;
  return {
    ticketHash: row.ticket_hash,
    purpose: row.purpose,
    emailKey: row.email_key,
    triesLeft: row.tries_left,
    isCodeLive: code_expires_at !== null && code_expires_at > now && code_used_at === null,
    isCodeUsed: code_used_at !== null,
    expiresAt: row.expires_at,
    ...(row.user_id !== null && { userId: row.user_id }),
    ...(row.challenge_hash !== null && { challengeHash: row.challenge_hash }),
    ...(row.new_email !== null && { newEmail: row.new_email }),
    ...(issuer !== null &&
      subject !== null && {
        upstream: { issuer, subject, ...(row.upstream_email && { email: row.upstream_email }) },
      }),
  };
}

export const addSeconds = (now: Date, seconds: number): Date =>
  new Date(now.getTime() + seconds * 1000);
const hashIfGiven = (secret: string | undefined): string | null =>
  secret === undefined ? null : hashSecret(secret);

/** Inserts a ticket; larger statements add conditions. Its values: `ticketValues`. */
export const INSERT_TICKET = `insert into ticket (ticket_hash, purpose, user_id, email_key,
     browser_hash, sid, tries_left, code_expires_at, code_sends_left, new_email, created_at,
     expires_at, upstream_issuer, upstream_subject, upstream_email)
   select :ticket_hash, :purpose, :user_id::bigint, :email_key, :browser_hash, :sid, :tries::int,
     :code_expires_at::timestamptz, :resends::int, :new_email, :now::timestamptz,
     :expires_at::timestamptz, :upstream_issuer, :upstream_subject, :upstream_email
   where (:password_hash::text is null or exists (
     select 1 from app_user where id = :user_id::bigint and password_hash = :password_hash
     for share))`;

export function ticketValues(
  { clock, ticketRules }: TicketContext,
  secret: string,
  ticket: NewTicket,
): Readonly<Record<string, unknown>> {
  const { lifetime_s, tries, codeLifetime_s, resends } = ticketRules[ticket.kind];
  const now = clock.now();
  return {
    ticket_hash: hashSecret(secret),
    purpose: ticket.kind === 'registered' ? 'login' : ticket.kind,
    user_id: ticket.userId ?? null,
    email_key: ticket.emailKey,
    browser_hash: hashIfGiven(ticket.browser),
    sid: ticket.sid ?? null,
    tries,
    code_expires_at: ticket.hasCode ? addSeconds(now, codeLifetime_s) : null,
    resends,
    new_email: ticket.newEmail ?? null,
    now,
    expires_at: addSeconds(now, lifetime_s),
    password_hash: ticket.passwordHash ?? null,
    upstream_issuer: ticket.upstream?.issuer ?? null,
    upstream_subject: ticket.upstream?.subject ?? null,
    upstream_email: ticket.upstream?.email ?? null,
  };
}

const CREATE_TICKET = defineStatement('identity-create-ticket', INSERT_TICKET);

/**
 * Creates a ticket and returns its secret, which is stored nowhere.
 * @throws `invalid_credentials` when the password was changed meanwhile
 */
export async function createTicket(
  tx: Transaction,
  context: TicketContext,
  ticket: NewTicket,
): Promise<string> {
  const secret = ticket.secret ?? newSecret();
  const { rowCount } = await execute(tx, CREATE_TICKET, ticketValues(context, secret, ticket));
  if (rowCount === 0) throw failure('invalid_credentials');
  return secret;
}

/** A ticket in a request, with what it may be bound to. */
export interface PresentedTicket {
  readonly ticket: string;
  readonly purpose: TicketPurpose;
  readonly emailKey: string;
  /** Cookie of the browser that presents it. */
  readonly browser?: string;
  readonly sid?: string;
}

export const IS_LIVE = `ticket_hash = :ticket_hash and purpose = :purpose and email_key = :email_key
     and consumed_at is null and expires_at > :now and tries_left > 0
     and (browser_hash is null or browser_hash = :browser_hash)
     and (sid is null or sid = :sid)`;

export function liveValues(
  now: Date,
  { ticket, purpose, emailKey, browser, sid }: PresentedTicket,
): Readonly<Record<string, unknown>> {
  return {
    ticket_hash: hashSecret(ticket),
    purpose,
    email_key: emailKey,
    now,
    browser_hash: hashIfGiven(browser),
    sid: sid ?? null,
  };
}

const READ_TICKET = defineStatement(
  'identity-read-ticket',
  `select * from ticket where ${IS_LIVE}`,
);

/** Reads a live ticket. @throws `invalid_ticket` */
export async function readTicket(
  db: Db,
  clock: Clock,
  presented: PresentedTicket,
): Promise<Ticket> {
  const now = clock.now();
  const { rows } = await execute<TicketRow>(db, READ_TICKET, liveValues(now, presented));
  return toTicket(rows[0], now);
}

const CONSUME_ATTEMPT = defineStatement(
  'identity-consume-attempt',
  `update ticket set tries_left = tries_left - 1 where ${IS_LIVE} returning *`,
);

/**
 * Counts an attempt. The row stays locked, so attempts with one ticket take turns.
 * @throws `invalid_ticket`
 */
export async function consumeAttempt(
  tx: Transaction,
  clock: Clock,
  presented: PresentedTicket,
): Promise<Ticket> {
  const now = clock.now();
  const { rows } = await execute<TicketRow>(tx, CONSUME_ATTEMPT, liveValues(now, presented));
  return toTicket(rows[0], now);
}

const CONSUME_TICKET = defineStatement(
  'identity-consume-ticket',
  `update ticket set consumed_at = :now where ticket_hash = :ticket_hash and consumed_at is null`,
);

/**
 * Consumes a ticket whose attempt was counted in this transaction.
 * @throws `invalid_ticket` when another request was first
 */
export async function consumeTicket(
  tx: Transaction,
  clock: Clock,
  { ticketHash }: Ticket,
): Promise<void> {
  const values = { ticket_hash: ticketHash, now: clock.now() };
  const { rowCount } = await execute(tx, CONSUME_TICKET, values);
  if (rowCount !== 1) throw failure('invalid_ticket');
}

/** Deletes the tickets of a user whose credentials have changed. */
export async function deleteTickets(tx: Transaction, userId: number): Promise<void> {
  await tx.query('delete from ticket where user_id = $1', [userId]);
}
