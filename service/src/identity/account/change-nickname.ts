import { queryNamed, transaction } from '../../db/index.ts';
import { readDisplayText } from '../../lib/display-text.ts';
import type { IdentityContext } from '../context.ts';
import { NICKNAME_LIMITS } from '../register/start-registration.ts';
import {
  type FullSession,
  finishSecurityChange,
  lockReauthenticatedUser,
} from './require-reauthentication.ts';

/** Changes the name that other users see. @throws `invalid_parameter` */
export async function changeNickname(
  context: IdentityContext,
  session: FullSession,
  text: string,
): Promise<void> {
  const nickname = readDisplayText(text, 'nickname', NICKNAME_LIMITS);
  await transaction(context.database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, session.userId);
    if (user.nickname === nickname) return;
    await queryNamed(
      tx,
      'update app_user set nickname = :nickname, profile_changed_at = :now where id = :user_id',
      { user_id: user.userId, nickname, now: context.clock.now() },
    );
    await finishSecurityChange(tx, context, { user, session }, { type: 'nickname_changed' });
  });
}
