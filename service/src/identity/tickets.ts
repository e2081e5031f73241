/**
 * Tickets: 256 random bits that carry one proof from step to step. Only the hash is stored; they are bound to person,
 * purpose and browser, every attempt takes a try, and exactly one request can consume one.
 */
import type { Db, Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { equalSecrets, hashSecret, newSecret } from '../lib/ids.ts';

export const TICKET_TRIES = 5;
export const CODE_TRIES = 5;
/** How often the live code of a ticket is sent again. */
export const CODE_RESENDS = 5;

export type TicketPurpose = 'login' | 'reset' | 'reauthenticate' | 'email_change' | 'passkey';

export interface NewTicket {
  readonly purpose: TicketPurpose;
  /** Absent: a decoy, for an address without an account. */
  readonly userId?: number;
  readonly emailKey: string;
  readonly ttl_s: number;
  /** Cookie of the browser that asked. */
  readonly browser?: string;
  readonly sid?: string;
  readonly newEmail?: string;
  /** Set: the ticket begins with a live email code. */
  readonly codeTtl_s?: number;
  readonly challenge?: string;
  /** Set: a secret that the caller has already goes on under this ticket. */
  readonly secret?: string;
  /** Set: no ticket is made unless this is still the person's password hash. */
  readonly passwordHash?: string;
}

export interface Ticket {
  readonly ticketHash: string;
  readonly purpose: TicketPurpose;
  readonly userId?: number;
  readonly emailKey: string;
  readonly sid?: string;
  readonly triesLeft: number;
  readonly isCodeLive: boolean;
  readonly codeTriesLeft: number;
  readonly isCodeUsed: boolean;
  readonly challengeHash?: string;
  readonly newEmail?: string;
  readonly expiresAt: Date;
}

interface TicketRow {
  expires_at: Date;
  ticket_hash: string;
  purpose: TicketPurpose;
  user_id: number | null;
  email_key: string;
  sid: string | null;
  tries_left: number;
  code_expires_at: Date | null;
  code_tries_left: number;
  code_used_at: Date | null;
  challenge_hash: string | null;
  new_email: string | null;
}

function toTicket(row: TicketRow, now: Date): Ticket {
  return {
    ticketHash: row.ticket_hash,
    purpose: row.purpose,
    emailKey: row.email_key,
    triesLeft: row.tries_left,
    isCodeLive:
      row.code_expires_at !== null && row.code_expires_at > now && row.code_used_at === null,
    codeTriesLeft: row.code_tries_left,
    isCodeUsed: row.code_used_at !== null,
    expiresAt: row.expires_at,
    ...(row.user_id !== null && { userId: row.user_id }),
    ...(row.sid !== null && { sid: row.sid }),
    ...(row.challenge_hash !== null && { challengeHash: row.challenge_hash }),
    ...(row.new_email !== null && { newEmail: row.new_email }),
  };
}

const later = (clock: Clock, seconds: number): Date =>
  new Date(clock.now().getTime() + seconds * 1000);

/** The insert of a ticket, as SQL for a larger statement: it takes the values of `ticketValues` as its first parameters. */
export const INSERT_TICKET = `insert into ticket (ticket_hash, purpose, user_id, email_key, browser_hash, sid, tries_left, code_expires_at, code_sends_left,
    code_tries_left, challenge_hash, new_email, created_at, expires_at)
  select $1, $2, $3::bigint, $4, $5, $6, $7::int, $8::timestamptz, $9::int, $10::int, $11, $12, $13::timestamptz, $14::timestamptz
  where ($15::text is null or exists (select 1 from app_user where id = $3::bigint and password_hash = $15 for share))`;
export const TICKET_VALUES = 15;

export function ticketValues(clock: Clock, secret: string, ticket: NewTicket): unknown[] {
  return [
    hashSecret(secret),
    ticket.purpose,
    ticket.userId ?? null,
    ticket.emailKey,
    ticket.browser === undefined ? null : hashSecret(ticket.browser),
    ticket.sid ?? null,
    TICKET_TRIES,
    ticket.codeTtl_s === undefined ? null : later(clock, ticket.codeTtl_s),
    CODE_RESENDS,
    CODE_TRIES,
    ticket.challenge === undefined ? null : hashSecret(ticket.challenge),
    ticket.newEmail ?? null,
    clock.now(),
    later(clock, ticket.ttl_s),
    ticket.passwordHash ?? null,
  ];
}

/** Makes a ticket and gives its secret, which exists nowhere else. @throws `invalid_credentials` when the password was changed meanwhile */
export async function createTicket(
  tx: Transaction,
  clock: Clock,
  ticket: NewTicket,
): Promise<string> {
  const secret = ticket.secret ?? newSecret();
  const { rowCount } = await tx.prepared(
    'create-ticket',
    INSERT_TICKET,
    ticketValues(clock, secret, ticket),
  );
  if (rowCount === 0) throw failure('invalid_credentials');
  return secret;
}

/** What a request presents: the ticket, and what it must be bound to. */
export interface PresentedTicket {
  readonly ticket: string;
  readonly purpose: TicketPurpose;
  readonly emailKey: string;
  /** Cookie of the browser that presents it. */
  readonly browser?: string;
  readonly sid?: string;
}

const LIVE = `ticket_hash = $1 and purpose = $2 and email_key = $3 and consumed_at is null and expires_at > $4 and tries_left > 0
  and (browser_hash is null or browser_hash = $5) and (sid is null or sid = $6)`;

function liveValues(clock: Clock, presented: PresentedTicket): unknown[] {
  const { ticket, purpose, emailKey, browser, sid } = presented;
  return [
    hashSecret(ticket),
    purpose,
    emailKey,
    clock.now(),
    browser === undefined ? null : hashSecret(browser),
    sid ?? null,
  ];
}

/** Reads a live ticket, changing nothing. @throws `invalid_ticket` */
export async function readTicket(
  db: Db,
  clock: Clock,
  presented: PresentedTicket,
): Promise<Ticket> {
  const { rows } = await db.query<TicketRow>(
    `select * from ticket where ${LIVE}`,
    liveValues(clock, presented),
  );
  if (!rows[0]) throw failure('invalid_ticket');
  return toTicket(rows[0], clock.now());
}

/** Takes one try; the row stays locked, so attempts with one ticket take turns. @throws `invalid_ticket` */
export async function consumeAttempt(
  tx: Transaction,
  clock: Clock,
  presented: PresentedTicket,
): Promise<Ticket> {
  const { rows } = await tx.query<TicketRow>(
    `update ticket set tries_left = tries_left - 1 where ${LIVE} returning *`,
    liveValues(clock, presented),
  );
  if (!rows[0]) throw failure('invalid_ticket');
  return toTicket(rows[0], clock.now());
}

/** Consumes a ticket whose try was taken in this transaction. @throws `invalid_ticket` when another request was first */
export async function consumeTicket(
  tx: Transaction,
  clock: Clock,
  { ticketHash }: Ticket,
): Promise<void> {
  const { rowCount } = await tx.query(
    'update ticket set consumed_at = $2 where ticket_hash = $1 and consumed_at is null',
    [ticketHash, clock.now()],
  );
  if (rowCount !== 1) throw failure('invalid_ticket');
}

/** Ends every proof of a person that is under way: what it was begun with has changed. */
export async function deleteTickets(tx: Transaction, userId: number): Promise<void> {
  await tx.query('delete from ticket where user_id = $1', [userId]);
}

/** Uses up a right email code, or counts a wrong one on the code's own counter. */
export async function verifyCode(
  tx: Transaction,
  clock: Clock,
  ticket: Ticket,
  isRight: boolean,
): Promise<boolean> {
  if (!ticket.isCodeLive || ticket.codeTriesLeft < 1) return false;
  const { rowCount } = await tx.query(
    isRight
      ? 'update ticket set code_used_at = $2 where ticket_hash = $1 and code_used_at is null and code_tries_left > 0'
      : 'update ticket set code_tries_left = code_tries_left - 1 where ticket_hash = $1 and code_tries_left > 0 and $2::timestamptz is not null',
    [ticket.ticketHash, clock.now()],
  );
  return isRight && rowCount === 1;
}

const CONSUME_RESEND = `update ticket set
    code_sends_left = code_sends_left - (case when code_expires_at is null then 0 else 1 end),
    code_expires_at = least($2::timestamptz, expires_at)
  where ticket_hash = $1 and code_used_at is null and (code_expires_at is null or code_sends_left > 0)
  returning code_expires_at`;

/**
 * Makes the code of a ticket valid from now on, and counts a resend when it was sent before. It never outlives its ticket.
 * @returns seconds that the code is valid; undefined when it was sent as often as allowed
 */
export async function consumeResend(
  tx: Transaction,
  clock: Clock,
  { ticketHash }: Ticket,
  codeTtl_s: number,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ code_expires_at: Date }>(CONSUME_RESEND, [
    ticketHash,
    later(clock, codeTtl_s),
  ]);
  const end = rows[0]?.code_expires_at;
  return end && Math.ceil((end.getTime() - clock.now().getTime()) / 1000);
}

/** Binds the ticket to a new passkey challenge; the one before is void. */
export async function setChallenge(
  tx: Transaction,
  { ticketHash }: Ticket,
  challenge: string,
): Promise<void> {
  await tx.query(
    'update ticket set challenge_hash = $2 where ticket_hash = $1 and consumed_at is null',
    [ticketHash, hashSecret(challenge)],
  );
}

/** Takes the challenge away from the ticket and compares: whatever comes of it, it cannot be used again. */
export async function takeChallenge(
  tx: Transaction,
  ticket: Ticket,
  challenge: string,
): Promise<boolean> {
  if (ticket.challengeHash === undefined) return false;
  await tx.query('update ticket set challenge_hash = null where ticket_hash = $1', [
    ticket.ticketHash,
  ]);
  return equalSecrets(ticket.challengeHash, hashSecret(challenge));
}
