import { transaction } from '../../db/index.ts';
import { readDisplayText } from '../../lib/display-text.ts';
import type { IdentityContext } from '../context.ts';
import { NICKNAME_LIMITS } from '../register/start-registration.ts';
import {
  finishSecurityChange,
  lockReauthenticatedUser,
  type Manager,
} from './require-reauthentication.ts';

/** Changes what others see. @throws `invalid_parameter` */
export async function changeNickname(
  kit: IdentityContext,
  manager: Manager,
  text: string,
): Promise<void> {
  const nickname = readDisplayText(text, 'nickname', NICKNAME_LIMITS);
  await transaction(kit.database, async (tx) => {
    const user = await lockReauthenticatedUser(tx, manager.userId);
    if (user.nickname === nickname) return;
    await tx.query('update app_user set nickname = $2 where id = $1', [user.userId, nickname]);
    await finishSecurityChange(tx, kit, user, manager, { type: 'nickname_changed' });
  });
}
