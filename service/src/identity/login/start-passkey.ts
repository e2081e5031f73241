import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { transaction } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { listMethods } from '../second-factors/available-methods.ts';
import { passkeyRequest } from '../second-factors/passkeys.ts';
import { type PresentedTicket, readTicket, setChallenge } from '../tickets.ts';

/** Gives the browser a challenge that is bound to the ticket; the one before is void. @throws `invalid_ticket`, `method_unavailable` */
export async function startPasskey(
  kit: IdentityContext,
  presented: PresentedTicket,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return transaction(kit.database, async (tx) => {
    const ticket = await readTicket(tx, kit.clock, presented);
    // A reset shows nothing about an account before its mailbox is proven.
    if (ticket.userId === undefined || (ticket.purpose === 'reset' && !ticket.isCodeUsed))
      throw failure('invalid_ticket');
    const methods = await listMethods(tx, kit.clock, ticket.userId);
    if (!methods.includes('PASSKEY'))
      throw failure('method_unavailable', { extra: { two_factor_methods: methods } });
    const options = await passkeyRequest(tx, kit, ticket.userId);
    await setChallenge(tx, ticket, options.challenge);
    return options;
  });
}
