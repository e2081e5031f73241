import type { Static } from 'typebox';
import { type Db, queryNamed } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { methodsOf, readFactors } from './available-methods.ts';
import { listPasskeys } from './passkeys.ts';
import type { SecondFactors } from './schemas.ts';

/** The second factors of the signed-in user. */
export async function readSecondFactors(
  db: Db,
  clock: Clock,
  userId: number,
): Promise<Static<typeof SecondFactors>> {
  const factors = await readFactors(db, userId);
  const passkeys = await listPasskeys(db, userId);
  const now = clock.now();
  const ifLater = (until: Date | undefined): string | undefined =>
    until && until > now ? until.toISOString() : undefined;
  const barred = ifLater(factors.emailBarredUntil);
  const frozen = ifLater(factors.moneyFrozenUntil);
  return {
    two_factor_methods: methodsOf(factors, now),
    has_authenticator: factors.hasAuthenticator,
    passkeys: passkeys.map(({ id, name, is_synced, created_at, last_used_at }) => ({
      id,
      name,
      is_synced,
      created_at: created_at.toISOString(),
      ...(last_used_at && { last_used_at: last_used_at.toISOString() }),
    })),
    recovery_codes_left: factors.recoveryCodesLeft,
    is_email_factor_on: factors.isEmailFactorOn,
    ...(barred !== undefined && { email_factor_barred_until: barred }),
    ...(frozen !== undefined && { money_frozen_until: frozen }),
    ...(factors.moneyFrozenSince && {
      money_frozen_since: factors.moneyFrozenSince.toISOString(),
    }),
  };
}

/** True while conversion and withdrawal are frozen: after a weak proof, or by an operator. */
export async function isMoneyFrozen(db: Db, clock: Clock, userId: number): Promise<boolean> {
  const { rowCount } = await queryNamed(
    db,
    `select 1 from user_security where user_id = :user_id
       and (money_frozen_until > :now or money_frozen_since is not null)`,
    { user_id: userId, now: clock.now() },
  );
  return rowCount > 0;
}
