/** Users of the whole service who register and sign in over HTTP, with codes of the mailbox. */
import { createHash } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { App } from '../../src/app.ts';
import type { Database } from '../../src/db/index.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
export const PERSON_PASSWORD = md5('the password of each user');

export interface PersonOrigin {
  readonly ip: string;
  readonly userAgent: string;
}

export interface HttpPeople {
  /** @returns the number of the user */
  signUp(email: string): Promise<number>;
  /** @returns an access token */
  signIn(email: string): Promise<string>;
  send(
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    options: { readonly token?: string; readonly body?: object },
  ): Promise<LightMyRequestResponse>;
}

export function createHttpPeople(app: App, database: Database, origin: PersonOrigin): HttpPeople {
  const send: HttpPeople['send'] = (method, url, { token, body }) =>
    app.http.inject({
      ...{ method, url, remoteAddress: origin.ip },
      ...(body && { payload: body }),
      headers: {
        'user-agent': origin.userAgent,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
    });

  async function codeTo(email: string): Promise<string> {
    const { rows } = await database.query<{ body: string }>(
      'select body from mail where recipient = $1 order by id desc limit 1',
      [email],
    );
    return /^\d{6}$/m.exec(rows[0]?.body ?? '')?.[0] ?? 'none';
  }

  return {
    send,
    async signUp(email) {
      const form = { email, login_password: PERSON_PASSWORD, nickname: 'Owner' };
      const begun = await send('POST', '/user/register', { body: form });
      const { register_ticket } = begun.json<{ register_ticket: string }>();
      const body = { email, register_ticket, validate_code: await codeTo(email) };
      const made = await send('POST', '/user/register/verify', { body });
      return made.json<{ user_id: number }>().user_id;
    },
    async signIn(email) {
      const form = { email, login_password: PERSON_PASSWORD };
      const begun = await send('POST', '/user/login-with-password', { body: form });
      const { login_ticket } = begun.json<{ login_ticket: string }>();
      const code = await codeTo(email);
      const body = { email, login_ticket, method: 'EMAIL', validate_code: code };
      const done = await send('POST', '/user/login/2fa', { body });
      return done.json<{ access_token: string }>().access_token;
    },
  };
}
