import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { listMethods } from '../second-factors/available-methods.ts';
import { passkeyRequest } from '../second-factors/passkeys.ts';
import { setChallenge } from '../ticket-proofs.ts';
import { type PresentedTicket, readTicket } from '../tickets.ts';

/**
 * Creates a passkey challenge that is bound to the ticket and replaces an earlier one.
 * @throws `invalid_ticket`, `method_unavailable`
 */
export async function startPasskey(
  context: IdentityContext,
  presented: PresentedTicket,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return transaction(context.database, async (tx) => {
    const ticket = await readTicket(tx, context.clock, presented);
    // A reset shows nothing about an account before the mailbox is verified.
    if (ticket.userId === undefined || (ticket.purpose === 'reset' && !ticket.isCodeUsed))
      throw failure('invalid_ticket');
    const methods = await listMethods(tx, context.clock, ticket.userId);
    if (!methods.includes('PASSKEY'))
      throw failure('method_unavailable', { extra: { two_factor_methods: methods } });
    const options = await passkeyRequest(tx, context, ticket.userId);
    await setChallenge(tx, ticket, options.challenge);
    return options;
  });
}
