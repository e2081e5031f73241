/** Sends a ticket's live email code again, or for the first time where EMAIL is one of several methods. */
import { transaction } from '../../db/index.ts';
import { limited } from '../../http/index.ts';
import { failure } from '../../lib/failures.ts';
import type { Language } from '../../lib/language.ts';
import { sendMail } from '../../mail/index.ts';
import type { IdentityContext } from '../context.ts';
import { findUser } from '../queries.ts';
import { listMethods } from '../second-factors/available-methods.ts';
import { CODE_RESENDS, consumeResend, type PresentedTicket, readTicket } from '../tickets.ts';
import { CODE_MAILS } from './issue-login-ticket.ts';

/** @throws `invalid_ticket`, `method_unavailable`, `rate_limited` after five resends */
export async function sendEmailCode(
  kit: IdentityContext,
  presented: PresentedTicket,
  language: Language,
): Promise<void> {
  const { database, clock, config, codes, limits } = kit;
  const { userId } = await readTicket(database, clock, presented);
  if (userId === undefined) throw failure('invalid_ticket');
  await limits.take(['mail-account', String(userId)]);
  await transaction(database, async (tx) => {
    const ticket = await readTicket(tx, clock, presented);
    const methods = await listMethods(tx, clock, userId);
    if (!methods.includes('EMAIL'))
      throw failure('method_unavailable', { extra: { two_factor_methods: methods } });
    const validFor_s = await consumeResend(tx, clock, ticket, config.EMAIL_CODE_TTL);
    if (validFor_s === undefined) {
      // Waiting does not help this ticket: the time is that of its end.
      const retryAfter_s = Math.ceil((ticket.expiresAt.getTime() - clock.now().getTime()) / 1000);
      throw limited(
        { name: 'code-resends', hits: CODE_RESENDS },
        retryAfter_s,
        `The code was sent again ${CODE_RESENDS} times: sign in anew.`,
      );
    }
    const user = await findUser(tx, userId);
    const write = CODE_MAILS[presented.purpose];
    if (!user || !write) throw failure('invalid_ticket');
    const recipient = { to: user.email, nickname: user.nickname, language };
    await sendMail(
      tx,
      clock,
      write(recipient, codes.of(presented.ticket, presented.emailKey), validFor_s),
    );
  });
}
