/**
 * A server with the identity routes only, mail read from the table, and a token issuer that
 * records its calls.
 */
import { createHash } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { Secret, TOTP } from 'otpauth';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/index.ts';
import { createOutgoing, type HttpServer } from '../../src/http/index.ts';
import { createBackground } from '../../src/identity/deferred-tasks.ts';
import { type IdentityDeps, registerIdentity, type TokenIssuer } from '../../src/identity/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { testConfig, testMasterKey } from './test-config.ts';
import { bearer, createTestServer } from './test-server.ts';

const TOTP_STEP_MS = 30_000;

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

const testIssuer: TokenIssuer = {
  async issueLoginTokens({ userId, sid, amr, authTime }) {
    const shared = { userId, sid, amr, authTime: authTime.getTime() };
    return {
      accessToken: JSON.stringify({ use: 'business', ...shared }),
      deviceToken: JSON.stringify({ use: 'device', ...shared }),
    };
  },
};

export interface Person {
  readonly userId: number;
  readonly email: string;
  readonly password: string;
}

export interface SignedIn extends Person {
  readonly sid: string;
  readonly headers: { authorization: string };
}

type Body = Record<string, unknown>;

export interface IdentityServer {
  readonly http: HttpServer;
  md5(text: string): string;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly database: Database;
  post(url: string, body: Body, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** The newest mail to an address. */
  mailTo(address: string): Promise<{ subject: string; body: string } | undefined>;
  /** The six digits of the newest mail to an address. */
  codeTo(address: string): Promise<string>;
  register(fields?: Body): Promise<Person>;
  /** A login ticket of a user. */
  ticketOf(person: Person, headers?: Record<string, string>): Promise<string>;
  /** Signs in with EMAIL. */
  signIn(person: Person, headers?: Record<string, string>): Promise<SignedIn>;
  /** The authenticator's current code. */
  totpOf(secret: string): string;
  /** Enrols an authenticator; its time step has passed when this returns. */
  enrol(person: SignedIn): Promise<{ secret: string; recoveryCodes: string[] }>;
  /** Headers of the user's business token in a session. */
  headersOf(person: Person, sid: string, authTime?: Date): { authorization: string };
  close(): Promise<void>;
}

let people = 0;

export function createIdentityServer(
  database: Database,
  options: Partial<IdentityDeps> & { config?: Config } = {},
): IdentityServer {
  const clock = createManualClock('2026-03-01T12:00:00.000Z');
  const config = options.config ?? testConfig();
  const http = createTestServer(config);
  const onBackgroundError = (error: unknown): never => {
    throw error;
  };
  const background = createBackground(onBackgroundError);
  registerIdentity(http, {
    config,
    database,
    masterKey: testMasterKey,
    clock,
    // A loaded machine is no provider that does not answer.
    outgoing: createOutgoing({ allowsLoopback: true, timeout_ms: 60_000 }),
    tokenIssuer: testIssuer,
    onBackgroundError,
    background,
    ...options,
  });
  const post: IdentityServer['post'] = async (url, body, headers = {}) => {
    const answer = await http.inject({ method: 'POST', url, payload: body, headers });
    await background.settle();
    return answer;
  };
  const mailTo: IdentityServer['mailTo'] = async (address) => {
    const { rows } = await database.query<{ subject: string; body: string }>(
      'select subject, body from mail where recipient = $1 order by id desc limit 1',
      [address],
    );
    return rows[0];
  };
  const codeTo = async (address: string): Promise<string> =>
    /^\d{6}$/m.exec((await mailTo(address))?.body ?? '')?.[0] ?? 'no code';
  const ticketOf: IdentityServer['ticketOf'] = async ({ email, password }, headers = {}) => {
    const answer = await post(
      '/user/login-with-password',
      { email, login_password: md5(password) },
      headers,
    );
    return answer.json<{ login_ticket: string }>().login_ticket;
  };
  const totpOf = (secret: string): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() });
  const headersOf: IdentityServer['headersOf'] = ({ userId }, sid, authTime = clock.now()) =>
    bearer({
      userId,
      sid,
      tokenUse: 'business',
      authTime,
      scopes: ['profile', 'email', 'identity:manage'],
    });
  return {
    http,
    md5,
    clock,
    database,
    post,
    get: (url, headers = {}) => http.inject({ method: 'GET', url, headers }),
    mailTo,
    codeTo,
    async register(fields = {}) {
      const email = `person${++people}@example.test`;
      const password = `a long password of person ${people}`;
      const body = {
        email,
        login_password: md5(password),
        nickname: `Person ${people}`,
        ...fields,
      };
      const { register_ticket } = (await post('/user/register', body)).json<{
        register_ticket: string;
      }>();
      const answer = await post('/user/register/verify', {
        email: body.email,
        register_ticket,
        validate_code: await codeTo(body.email),
      });
      return { userId: answer.json<{ user_id: number }>().user_id, email: body.email, password };
    },
    ticketOf,
    async signIn(person, headers = {}) {
      const login_ticket = await ticketOf(person, headers);
      const validate_code = await codeTo(person.email);
      const answer = await post(
        '/user/login/2fa',
        { email: person.email, login_ticket, method: 'EMAIL', validate_code },
        headers,
      );
      const { sid } = JSON.parse(answer.json<{ access_token: string }>().access_token) as {
        sid: string;
      };
      return { ...person, sid, headers: headersOf(person, sid) };
    },
    totpOf,
    async enrol({ headers }) {
      const { secret } = (await post('/me/authenticator', {}, headers)).json<{ secret: string }>();
      const answer = await post(
        '/me/authenticator/confirm',
        { authenticator_code: totpOf(secret) },
        headers,
      );
      if (answer.statusCode !== 200)
        throw new Error(`no authenticator was enrolled: ${answer.body}`);
      clock.advance(TOTP_STEP_MS);
      return { secret, recoveryCodes: answer.json<{ recovery_codes: string[] }>().recovery_codes };
    },
    headersOf,
    close: () => http.close(),
  };
}
