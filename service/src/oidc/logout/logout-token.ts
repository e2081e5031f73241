/** Logout tokens (OpenID Connect Back-Channel Logout 1.0, 2.4). */
import { SignJWT } from 'jose';
import { newId } from '../../lib/ids.ts';
import type { Client } from '../clients/index.ts';
import type { OidcContext } from '../context.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** As the specification recommends: a stolen token is of no use later. */
const LIFETIME_S = 120;

/** A token for one attempt: it names user and session as the application knows them. */
export async function signLogoutToken(
  { keys, clock, baseUrl, applications }: OidcContext,
  client: Client,
  { userId, sid }: { userId: number; sid: string },
): Promise<string> {
  const alg = client.metadata?.id_token_signed_response_alg ?? 'RS256';
  const set = await keys.current();
  const signing = set.signingWith(alg);
  if (!signing) throw new Error(`there is no key for ${alg}`);
  const iat = Math.floor(clock.now().getTime() / 1000);
  return new SignJWT({
    iss: baseUrl,
    aud: client.clientId,
    iat,
    exp: iat + LIFETIME_S,
    jti: newId(),
    sub: applications.subjectOf(client, userId),
    sid: applications.sessionOf(client, sid),
    events: { [EVENT]: {} },
  })
    .setProtectedHeader({ alg, typ: 'logout+jwt', kid: signing.kid })
    .sign(signing.privateKey);
}
