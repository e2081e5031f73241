/** Verifies a token with the published keys only. */
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';

/** The claims of a valid token of this service. @throws when it does not verify */
export async function verifyToken(baseUrl: string, token: string): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(token, keys, {
    issuer: baseUrl,
    audience: baseUrl,
    algorithms: ['RS256'],
    typ: 'at+jwt',
  });
  return payload;
}
