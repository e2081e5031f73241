import { transaction } from '../../db/index.ts';
import type { Principal } from '../../http/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { logSecurityEvent } from '../security-log.ts';
import { endAllSessions, endSession } from '../sessions/index.ts';
import type { Origin } from '../types.ts';

export interface LogoutInput {
  readonly id: number;
  readonly everywhere?: boolean;
}

/**
 * Ends the session of the token presented, or all sessions of the person.
 * @throws `not_own_account`; `insufficient_scope` for tokens that an application got by OpenID Connect: those it
 * revokes itself, it does not sign the person out
 */
export async function endLogin(
  kit: IdentityContext,
  caller: Principal,
  { id, everywhere = false }: LogoutInput,
  origin: Origin,
): Promise<void> {
  const { userId, sid } = caller;
  if (userId === undefined || id !== userId)
    throw failure('not_own_account', { detail: 'id must be the user id of the token presented.' });
  const isApplications =
    caller.tokenUse === 'device' && (caller.grantId !== undefined || everywhere);
  if (isApplications || caller.nodeId !== undefined)
    throw failure('insufficient_scope', { detail: 'Only the tokens of a login can end it.' });
  await transaction(kit.database, async (tx) => {
    if (everywhere) await endAllSessions(tx, kit.clock, { userId, reason: 'logout_everywhere' });
    else if (sid !== undefined) await endSession(tx, kit.clock, { sid, reason: 'logout' });
    await logSecurityEvent(tx, kit.clock, {
      userId,
      type: everywhere ? 'signed_out_everywhere' : 'signed_out',
      origin,
    });
  });
}
