/** What follows where the mailbox was the only proof of an owner. */
import { defineStatement, execute, type Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';

/** No EMAIL factor after a reset, and no withdrawals after a proof by the mailbox alone. */
export const RESTRICTION_MS = 86_400_000;

const FREEZE_MONEY = defineStatement(
  'identity-freeze-money',
  `insert into user_security (user_id, money_frozen_until) values (:user_id, :until)
   on conflict (user_id) do update set
     money_frozen_until = greatest(excluded.money_frozen_until, user_security.money_frozen_until)`,
);

/** Conversions and withdrawals wait, so that the owner can act on the mail about it. */
export async function freezeMoney(tx: Transaction, clock: Clock, userId: number): Promise<void> {
  const until = new Date(clock.now().getTime() + RESTRICTION_MS);
  await execute(tx, FREEZE_MONEY, { user_id: userId, until });
}
