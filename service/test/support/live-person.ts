/** A user who registered and signed in over HTTP at a running service. */
import { createHash, randomUUID } from 'node:crypto';
import { expectOk, readCode } from '../demo/http-client.ts';

export interface LivePerson {
  readonly userId: number;
  readonly email: string;
  readonly password: string;
  readonly accessToken: string;
  readonly deviceToken: string;
}

/** @param codeOf reads the newest code that was mailed to an address; default: the mailbox */
export async function signUp(
  baseUrl: string,
  codeOf = (email: string) => readCode(baseUrl, email),
): Promise<LivePerson> {
  const [email, password] = [`someone.${randomUUID()}@example.test`, `a password ${randomUUID()}`];
  const login_password = createHash('md5').update(password).digest('hex');
  const { register_ticket } = await expectOk<{ register_ticket: string }>(
    `${baseUrl}/user/register`,
    { body: { email, login_password, nickname: 'Someone' } },
  );
  const { user_id } = await expectOk<{ user_id: number }>(`${baseUrl}/user/register/verify`, {
    body: { email, register_ticket, validate_code: await codeOf(email) },
  });
  const { login_ticket } = await expectOk<{ login_ticket: string }>(
    `${baseUrl}/user/login-with-password`,
    { body: { email, login_password } },
  );
  const factor = {
    email,
    login_ticket,
    method: 'EMAIL',
    validate_code: await codeOf(email),
  };
  const { access_token, device_token } = await expectOk<{
    access_token: string;
    device_token: string;
  }>(`${baseUrl}/user/login/2fa`, { body: factor });
  return { userId: user_id, email, password, accessToken: access_token, deviceToken: device_token };
}
