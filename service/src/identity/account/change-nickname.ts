import { transaction } from '../../db/index.ts';
import { readDisplayText } from '../../lib/display-text.ts';
import type { IdentityKit } from '../kit.ts';
import { NICKNAME_LIMITS } from '../register/start-registration.ts';
import { concludeChange, lockManager, type Manager } from './manager.ts';

/** Changes what others see. @throws `invalid_parameter` */
export async function changeNickname(kit: IdentityKit, manager: Manager, text: string): Promise<void> {
  const nickname = readDisplayText(text, 'nickname', NICKNAME_LIMITS);
  await transaction(kit.database, async (tx) => {
    const user = await lockManager(tx, manager.userId);
    if (user.nickname === nickname) return;
    await tx.query('update app_user set nickname = $2 where id = $1', [user.userId, nickname]);
    await concludeChange(tx, kit, user, manager, { type: 'nickname_changed' });
  });
}
