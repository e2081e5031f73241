/** Proofs that belong to a ticket: its email code and its passkey challenge. */
import { defineStatement, execute, queryNamed, type Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { equalSecrets, hashSecret } from '../lib/ids.ts';
import { addSeconds, type Ticket, type TicketContext } from './tickets.ts';

const USE_CODE = defineStatement(
  'identity-use-code',
  `update ticket set code_used_at = :now where ticket_hash = :ticket_hash and code_used_at is null`,
);

/** Uses up the ticket's email code, if it is live and the given code is right. */
export async function verifyCode(
  tx: Transaction,
  clock: Clock,
  { ticketHash, isCodeLive }: Ticket,
  isRight: boolean,
): Promise<boolean> {
  if (!isCodeLive || !isRight) return false;
  const values = { ticket_hash: ticketHash, now: clock.now() };
  const { rowCount } = await execute(tx, USE_CODE, values);
  return rowCount === 1;
}

const CONSUME_RESEND = defineStatement(
  'identity-consume-resend',
  `update ticket set
     code_sends_left = code_sends_left - (case when code_expires_at is null then 0 else 1 end),
     code_expires_at = least(:code_expires_at::timestamptz, expires_at)
   where ticket_hash = :ticket_hash and code_used_at is null
     and (code_expires_at is null or code_sends_left > 0)
   returning code_expires_at`,
);

/**
 * Renews the lifetime of the ticket's code, within that of the ticket, and counts a resend unless
 * it is the first mail.
 * @returns seconds that the code is valid; undefined when no resend is left
 */
export async function consumeResend(
  tx: Transaction,
  { clock, ticketRules }: TicketContext,
  { ticketHash, purpose }: Ticket,
): Promise<number | undefined> {
  const now = clock.now();
  const { rows } = await execute<{ code_expires_at: Date }>(tx, CONSUME_RESEND, {
    ticket_hash: ticketHash,
    code_expires_at: addSeconds(now, ticketRules[purpose].codeLifetime_s),
  });
  const end = rows[0]?.code_expires_at;
  return end && Math.ceil((end.getTime() - now.getTime()) / 1000);
}

/** Binds the ticket to a new passkey challenge, which replaces an earlier one. */
export async function setChallenge(
  tx: Transaction,
  { ticketHash }: Ticket,
  challenge: string,
): Promise<void> {
  await queryNamed(
    tx,
    `update ticket set challenge_hash = :challenge_hash
      where ticket_hash = :ticket_hash and consumed_at is null`,
    { ticket_hash: ticketHash, challenge_hash: hashSecret(challenge) },
  );
}

/** Removes the challenge from the ticket, so that it serves once, and compares it. */
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
