import type { Db } from '../../db/index.ts';
import { CONSOLE_CLIENT_ID } from '../../http/index.ts';
import { findSession, type LoginIdentity, type LoginTokens } from '../../identity/index.ts';
import { BUSINESS_SCOPES, DEVICE_SCOPES } from './scopes.ts';
import type { SignToken } from './sign-token.ts';

export interface TokenIssuer {
  /** The two tokens of a login: they share `sid` and `exp`, and differ in use and scopes. */
  issueLoginTokens(db: Db, login: LoginIdentity): Promise<LoginTokens>;
}

export function createTokenIssuer(sign: SignToken): TokenIssuer {
  return {
    async issueLoginTokens(db, { userId, email, sid, amr, authTime }) {
      const session = await findSession(db, sid);
      if (!session || session.endedAt || session.userId !== userId)
        throw new Error('tokens were asked for a session that does not exist');
      const exp = Math.floor(session.expiresAt.getTime() / 1000);
      const shared = {
        sub: String(userId),
        client_id: session.clientId ?? CONSOLE_CLIENT_ID,
        exp,
        sid,
        auth_time: Math.floor(authTime.getTime() / 1000),
        amr,
        email,
      };
      const [access, device] = await Promise.all([
        sign({ token_use: 'business', scope: BUSINESS_SCOPES.join(' '), ...shared }),
        sign({ token_use: 'device', scope: DEVICE_SCOPES.join(' '), ...shared }),
      ]);
      return {
        accessToken: access.token,
        deviceToken: device.token,
        expiresAt: new Date(exp * 1000),
      };
    },
  };
}
