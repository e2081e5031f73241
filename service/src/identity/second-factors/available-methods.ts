/** The second factors that a user can use now. */
import { type Db, defineStatement, execute } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { TwoFactorMethod } from '../types.ts';

export interface FactorState {
  readonly hasAuthenticator: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
  /** EMAIL is allowed beside a strong factor. */
  readonly isEmailFactorOn: boolean;
  readonly emailBarredUntil?: Date;
  readonly moneyFrozenUntil?: Date;
  /** When an operator froze it. */
  readonly moneyFrozenSince?: Date;
}

export interface FactorRow {
  has_authenticator: boolean;
  passkeys: number;
  recovery_codes: number;
  is_email_factor_on: boolean | null;
  email_factor_barred_until: Date | null;
  money_frozen_until: Date | null;
  money_frozen_since: Date | null;
}

/** The columns of `FactorRow`: `u` is the user, `s` their outer joined `user_security`. */
export const FACTOR_COLUMNS = `
     exists (select 1 from authenticator a where a.user_id = u.id and a.confirmed_at is not null)
       as has_authenticator,
     (select count(*) from passkey p where p.user_id = u.id) as passkeys,
     (select count(*) from recovery_code r where r.user_id = u.id and r.used_at is null)
       as recovery_codes,
     s.is_email_factor_on, s.email_factor_barred_until, s.money_frozen_until,
     s.money_frozen_since`;

export function toFactors(row: FactorRow | undefined): FactorState {
  return {
    hasAuthenticator: row?.has_authenticator ?? false,
    passkeys: row?.passkeys ?? 0,
    recoveryCodesLeft: row?.recovery_codes ?? 0,
    isEmailFactorOn: row?.is_email_factor_on ?? false,
    ...(row?.email_factor_barred_until && { emailBarredUntil: row.email_factor_barred_until }),
    ...(row?.money_frozen_until && { moneyFrozenUntil: row.money_frozen_until }),
    ...(row?.money_frozen_since && { moneyFrozenSince: row.money_frozen_since }),
  };
}

const READ_FACTORS = defineStatement(
  'identity-read-factors',
  `select ${FACTOR_COLUMNS}
   from app_user u left join user_security s on s.user_id = u.id where u.id = :user_id`,
);

export async function readFactors(db: Db, userId: number): Promise<FactorState> {
  const { rows } = await execute<FactorRow>(db, READ_FACTORS, { user_id: userId });
  return toFactors(rows[0]);
}

/** True with a factor that does not depend on the mailbox. */
export function hasStrongFactor(factors: FactorState): boolean {
  return factors.hasAuthenticator || factors.passkeys > 0;
}

/** EMAIL is off beside a strong factor unless turned on, and barred after a reset by email. */
export function methodsOf(factors: FactorState, now: Date): TwoFactorMethod[] {
  const methods: TwoFactorMethod[] = [];
  const isBarred = factors.emailBarredUntil !== undefined && factors.emailBarredUntil > now;
  if (!hasStrongFactor(factors) || (factors.isEmailFactorOn && !isBarred)) methods.push('EMAIL');
  if (factors.hasAuthenticator) methods.push('AUTHENTICATOR');
  if (factors.passkeys > 0) methods.push('PASSKEY');
  return methods;
}

/** The methods of a user whose mailbox was proved already: EMAIL is left if it is the only one. */
export function withoutMailbox(methods: readonly TwoFactorMethod[]): TwoFactorMethod[] {
  const others = methods.filter((method) => method !== 'EMAIL');
  return others.length > 0 ? others : [...methods];
}

/** The methods that `/user/login/2fa` accepts from this user now. */
export async function listMethods(
  db: Db,
  clock: Clock,
  userId: number,
): Promise<TwoFactorMethod[]> {
  return methodsOf(await readFactors(db, userId), clock.now());
}
