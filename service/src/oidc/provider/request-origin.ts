/** Where a request that the provider serves came from, for the security log. */
import type { KoaContextWithOIDC } from 'oidc-provider';

const USER_AGENT_MAX = 400;

export function originOf(ctx: KoaContextWithOIDC): { ip: string; userAgent: string } {
  return {
    ip: ctx.ip,
    userAgent: ctx.get('user-agent').slice(0, USER_AGENT_MAX).toWellFormed(),
  };
}
