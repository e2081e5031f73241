/** Passkeys against the whole service, in a real browser with a virtual authenticator. */
import { createHash } from 'node:crypto';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import type { Database } from '../src/db/index.ts';
import { openBrowser, type TestBrowser } from './support/browser.ts';
import { openTestDatabase, RUN_ENGINES } from './support/databases.ts';
import { findFreePort } from './support/postgres-server.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';

const EMAIL = 'key@example.test';
const PASSWORD = createHash('md5').update('a long password for passkeys').digest('hex');

type Json = Record<string, unknown>;

describe.each(RUN_ENGINES)('passkeys on %s', (engine) => {
  let database: Database;
  let app: App;
  let browser: TestBrowser;
  let page: Page;
  let devtools: CDPSession;
  let authenticatorId: string;
  let baseUrl: string;
  let token = '';

  beforeAll(async () => {
    const port = await findFreePort();
    baseUrl = `http://localhost:${port}`;
    database = await openTestDatabase(engine);
    app = await createApp({
      config: testConfig({ PORT: String(port), BASE_URL: baseUrl }),
      database,
      masterKey: testMasterKey,
    });
    await app.start();
    await app.http.listen({ host: '127.0.0.1', port });
    browser = await openBrowser();
    page = await browser.browser.newPage();
    await page.goto(`${baseUrl}/dev/mail`);
    devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    } as const;
    ({ authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options }));
    token = await signUp();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.close();
  });

  async function call(path: string, body: Json = {}): Promise<{ status: number; body: Json }> {
    const headers = {
      'content-type': 'application/json',
      ...(token !== '' && path.startsWith('/me') && { authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(baseUrl + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Json) };
  }

  async function mailedCode(): Promise<string> {
    const mails = (await (
      await fetch(`${baseUrl}/dev/mail`, { headers: { accept: 'application/json' } })
    ).json()) as { to: string; text: string }[];
    return /^\d{6}$/m.exec(mails.find(({ to }) => to === EMAIL)?.text ?? '')?.[0] ?? 'none';
  }

  const ticketOf = async (): Promise<string> =>
    String(
      (await call('/user/login-with-password', { email: EMAIL, login_password: PASSWORD })).body
        .login_ticket,
    );

  async function signUp(): Promise<string> {
    const { body } = await call('/user/register', {
      email: EMAIL,
      login_password: PASSWORD,
      nickname: 'Key',
    });
    await call('/user/register/verify', {
      email: EMAIL,
      register_ticket: body.register_ticket,
      validate_code: await mailedCode(),
    });
    const login_ticket = await ticketOf();
    const signedIn = await call('/user/login/2fa', {
      email: EMAIL,
      login_ticket,
      method: 'EMAIL',
      validate_code: await mailedCode(),
    });
    return String(signedIn.body.access_token);
  }

  /**
   * The authenticator's response to creation options. As text: the service's types exclude the DOM.
   */
  const create = (options: Json): Promise<Json> =>
    page.evaluate(`(async () => {
      const json = ${JSON.stringify(options)};
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
      return (await navigator.credentials.create({ publicKey })).toJSON();
    })()`);

  /** The signed assertion for request options. */
  const sign = (options: Json): Promise<Json> =>
    page.evaluate(`(async () => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(options)});
      return (await navigator.credentials.get({ publicKey })).toJSON();
    })()`);

  const finish = (login_ticket: string, passkey_credential: Json) =>
    call('/user/login/2fa', { email: EMAIL, login_ticket, method: 'PASSKEY', passkey_credential });

  test('is registered, signs in, is bound to its ticket, and is valid once', async () => {
    const options = await call('/me/passkeys/options');
    expect(options.body).toMatchObject({ rp: { id: 'localhost' }, attestation: 'none' });
    const credential = await create(options.body);
    const added = await call('/me/passkeys', { name: 'Laptop', passkey_credential: credential });
    expect(added).toMatchObject({ status: 200, body: { recovery_codes: expect.any(Array) } });
    // The challenge has been used.
    expect(
      await call('/me/passkeys', { name: 'Again', passkey_credential: credential }),
    ).toMatchObject({ status: 400 });
    expect(
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    ).toHaveLength(1);

    const login = await call('/user/login-with-password', {
      email: EMAIL,
      login_password: PASSWORD,
    });
    expect(login.body).toMatchObject({ two_factor_methods: ['PASSKEY'] });
    const [first, second] = [String(login.body.login_ticket), await ticketOf()];
    const request = await call('/user/login/passkey-options', {
      email: EMAIL,
      login_ticket: first,
    });
    const assertion = await sign(request.body);
    // An assertion for the challenge of one ticket is invalid for another.
    await call('/user/login/passkey-options', { email: EMAIL, login_ticket: second });
    expect(await finish(second, assertion)).toMatchObject({
      status: 401,
      body: { code: 'invalid_code', tries_left: 4 },
    });
    const answers = await Promise.all(Array.from({ length: 4 }, () => finish(first, assertion)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    const { access_token } = answers.find(({ status }) => status === 200)?.body ?? {};
    const claims = JSON.parse(
      Buffer.from(String(access_token).split('.')[1] ?? '', 'base64url').toString(),
    ) as Json;
    expect(claims.amr).toEqual(['pwd', expect.stringMatching(/^(hwk|swk)$/), 'mfa']);
  });

  test('a replaced challenge, a forged signature and another origin are refused', async () => {
    const login_ticket = await ticketOf();
    const old = await sign(
      (await call('/user/login/passkey-options', { email: EMAIL, login_ticket })).body,
    );
    const fresh = await sign(
      (await call('/user/login/passkey-options', { email: EMAIL, login_ticket })).body,
    );
    expect(await finish(login_ticket, old)).toMatchObject({
      status: 401,
      body: { code: 'invalid_code' },
    });
    // The wrong attempt used the challenge.
    expect(await finish(login_ticket, fresh)).toMatchObject({
      status: 401,
      body: { code: 'invalid_code' },
    });
    const next = await sign(
      (await call('/user/login/passkey-options', { email: EMAIL, login_ticket })).body,
    );
    const response = next.response as Record<string, string>;
    const client = JSON.parse(
      Buffer.from(response.clientDataJSON ?? '', 'base64url').toString(),
    ) as Json;
    const elsewhere = Buffer.from(
      JSON.stringify({ ...client, origin: 'https://evil.example' }),
    ).toString('base64url');
    expect(
      await finish(login_ticket, { ...next, response: { ...response, clientDataJSON: elsewhere } }),
    ).toMatchObject({ status: 401 });
    const last = await sign(
      (await call('/user/login/passkey-options', { email: EMAIL, login_ticket })).body,
    );
    const signed = last.response as Record<string, string>;
    const forged = `${signed.signature?.slice(0, -6)}AAAAAA`;
    expect(
      await finish(login_ticket, { ...last, response: { ...signed, signature: forged } }),
    ).toMatchObject({ status: 401, body: { tries_left: 1 } });
  });

  test('reauthenticates, and is removed', async () => {
    const started = await call('/me/reauthenticate', { login_password: PASSWORD });
    const { login_ticket } = started.body;
    const assertion = await sign(
      (await call('/me/reauthenticate/passkey-options', { login_ticket })).body,
    );
    expect(
      await call('/me/reauthenticate/2fa', {
        login_ticket,
        method: 'PASSKEY',
        passkey_credential: assertion,
      }),
    ).toMatchObject({ status: 200 });
    const factors = await fetch(`${baseUrl}/me/second-factors`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { passkeys } = (await factors.json()) as { passkeys: { id: number; name: string }[] };
    expect(passkeys).toMatchObject([{ name: 'Laptop', last_used_at: expect.any(String) }]);
    expect((await call(`/me/passkeys/${passkeys[0]?.id}/delete`)).status).toBe(204);
    const login = await call('/user/login-with-password', {
      email: EMAIL,
      login_password: PASSWORD,
    });
    expect(login.body).toMatchObject({ two_factor_methods: ['EMAIL'] });
  });
});
