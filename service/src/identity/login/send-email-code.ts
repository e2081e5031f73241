/** Mails a ticket's email code, for the first time or again. */
import { transaction } from '../../db/index.ts';
import { rateLimitError } from '../../http/index.ts';
import { failure } from '../../lib/failures.ts';
import { sendMail } from '../../mail/index.ts';
import type { IdentityContext } from '../context.ts';
import { findUser } from '../queries.ts';
import { listMethods } from '../second-factors/available-methods.ts';
import { consumeResend } from '../ticket-proofs.ts';
import { type PresentedTicket, readTicket } from '../tickets.ts';
import type { RequestOrigin } from '../types.ts';
import { CODE_MAILS, type TicketBinding } from './issue-login-ticket.ts';

/**
 * @throws `invalid_ticket`, `method_unavailable`, `challenge_required`, `rate_limited` when no
 *   resend is left
 */
export async function sendEmailCode(
  context: IdentityContext,
  presented: PresentedTicket & Pick<TicketBinding, 'purpose'>,
  origin: RequestOrigin,
): Promise<void> {
  const { database, clock, codes, limits, ticketRules } = context;
  const { userId } = await readTicket(database, clock, presented);
  if (userId === undefined) throw failure('invalid_ticket');
  // A reauthentication has a session already.
  if (presented.purpose === 'login') await context.challenges.guardResend(origin);
  await limits.consume(['mail-account', String(userId)]);
  await transaction(database, async (tx) => {
    const ticket = await readTicket(tx, clock, presented);
    const methods = await listMethods(tx, clock, userId);
    if (!methods.includes('EMAIL'))
      throw failure('method_unavailable', { extra: { two_factor_methods: methods } });
    const validFor_s = await consumeResend(tx, context, ticket);
    if (validFor_s === undefined) {
      const { resends } = ticketRules[presented.purpose];
      // No resend comes back before the ticket expires.
      const retryAfter_s = Math.ceil((ticket.expiresAt.getTime() - clock.now().getTime()) / 1000);
      throw rateLimitError(
        { name: 'code-resends', hits: resends },
        retryAfter_s,
        `The code was sent again ${resends} times: start a new login.`,
      );
    }
    const user = await findUser(tx, userId);
    if (!user) throw failure('invalid_ticket');
    const code = codes.of(presented.ticket, presented.emailKey);
    const { language } = origin;
    const recipient = { to: user.email, userId, nickname: user.nickname, language };
    await sendMail(tx, clock, CODE_MAILS[presented.purpose](recipient, code, validFor_s));
  });
}
