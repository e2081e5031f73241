/** Who invites by a referral code, for the page that its link opens. */
import { defineStatement, execute } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import type { IdentityContext } from '../context.ts';
import type { RateLimitKey } from '../limits.ts';

const FIND_INVITER = defineStatement(
  'identity-find-inviter',
  `select nickname from app_user where referral_code = :referral_code and status <> 'closed'`,
);

export interface Invitation {
  readonly nickname: string;
  readonly is_paying: boolean;
  readonly has_uptime: boolean;
  readonly has_traffic: boolean;
  readonly has_referral: boolean;
}

/** Unknown codes are limited by address. @throws `not_found`, `rate_limited` */
export async function showInvitation(
  { database, limits, readPaidKinds }: IdentityContext,
  code: string,
  ip: string,
): Promise<Invitation> {
  const limitKey: RateLimitKey = ['invitation-ip', toSubnet(ip)];
  await limits.consume(limitKey);
  const values = { referral_code: code.toUpperCase() };
  const { rows } = await execute<{ nickname: string }>(database, FIND_INVITER, values);
  const nickname = rows[0]?.nickname;
  if (nickname === undefined) throw failure('not_found');
  await limits.refund([limitKey]);
  const { hasUptime, hasTraffic, hasReferral } = await readPaidKinds();
  return {
    nickname,
    is_paying: hasUptime || hasTraffic,
    has_uptime: hasUptime,
    has_traffic: hasTraffic,
    has_referral: hasReferral,
  };
}
