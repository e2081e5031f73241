import { CONSOLE_CLIENT_ID } from '../../http/index.ts';
import type { LoginIdentity, LoginTokens } from '../../identity/index.ts';
import { BUSINESS_SCOPES, DEVICE_SCOPES } from './scopes.ts';
import type { SignToken } from './sign-token.ts';

export interface TokenIssuer {
  /** The two tokens of a login: they share `sid` and `exp`, and differ in use and scopes. */
  issueLoginTokens(login: LoginIdentity): Promise<LoginTokens>;
}

export function createTokenIssuer(sign: SignToken): TokenIssuer {
  return {
    async issueLoginTokens({ userId, email, sid, amr, authTime, expiresAt }) {
      const shared = {
        sub: String(userId),
        client_id: CONSOLE_CLIENT_ID,
        exp: Math.floor(expiresAt.getTime() / 1000),
        sid,
        auth_time: Math.floor(authTime.getTime() / 1000),
        amr,
      };
      const [access, device] = await Promise.all([
        sign({ token_use: 'business', scope: BUSINESS_SCOPES.join(' '), ...shared, email }),
        sign({ token_use: 'device', scope: DEVICE_SCOPES.join(' '), ...shared }),
      ]);
      return { accessToken: access.token, deviceToken: device.token };
    },
  };
}
