import { transaction } from '../../db/index.ts';
import type { Principal } from '../../http/index.ts';
import { failure } from '../../lib/failures.ts';
import type { IdentityContext } from '../context.ts';
import { logSecurityEvent } from '../security-log.ts';
import { endAllSessions, endSession } from '../sessions/index.ts';
import type { RequestOrigin } from '../types.ts';

export interface LogoutInput {
  readonly id: number;
  readonly everywhere?: boolean;
}

/**
 * Ends the session of the presented token, or all sessions of the user.
 * @throws `not_own_account`; `insufficient_scope` for tokens of applications: an application
 *   revokes its own tokens and cannot sign the user out
 */
export async function logOut(
  context: IdentityContext,
  caller: Principal,
  { id, everywhere = false }: LogoutInput,
  origin: RequestOrigin,
): Promise<void> {
  const { userId, sid } = caller;
  if (userId === undefined || id !== userId)
    throw failure('not_own_account', { detail: 'id must be the user id of the presented token.' });
  const isApplications =
    caller.tokenUse === 'device' && (caller.grantId !== undefined || everywhere);
  if (isApplications || caller.nodeId !== undefined)
    throw failure('insufficient_scope', { detail: 'Only the tokens of a login can end it.' });
  await transaction(context.database, async (tx) => {
    if (everywhere)
      await endAllSessions(tx, context.clock, { userId, reason: 'logout_everywhere' });
    else if (sid !== undefined) await endSession(tx, context.clock, { sid, reason: 'logout' });
    await logSecurityEvent(tx, context.clock, {
      userId,
      type: everywhere ? 'signed_out_everywhere' : 'signed_out',
      origin,
    });
  });
}
