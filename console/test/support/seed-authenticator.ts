import { Secret, TOTP } from 'otpauth';
import { expectOk } from '../../../service/test/demo/http-client.ts';
import { signInByApi } from './seed.ts';
import type { Person } from './user-flows.ts';

const STEP_MS = 30_000;

/** The code after the present one, which may be used already: it is accepted early. */
export function nextCode(secret: string): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() + STEP_MS });
}

/** Adds an authenticator app to an account. @returns its secret, in Base32 */
export async function seedAuthenticator(baseUrl: string, person: Person): Promise<string> {
  const token = await signInByApi(baseUrl, person);
  const { secret } = await expectOk<{ secret: string }>(`${baseUrl}/me/authenticator`, {
    method: 'POST',
    token,
  });
  const authenticator_code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await expectOk(`${baseUrl}/me/authenticator/confirm`, { token, body: { authenticator_code } });
  return secret;
}
