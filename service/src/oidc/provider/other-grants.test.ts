import { createHash } from 'node:crypto';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWK,
  SignJWT,
} from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
  createBrowser,
  newPkce,
  runToRedirect,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  GOOD_REQUEST,
  type OidcKit,
  openOidcKit,
  SECRET,
} from '../../../test/support/oidc-fixture.ts';
import { insertUser } from '../../../test/support/test-users.ts';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

describe.each(RUN_ENGINES)(
  'devices, introspection, revocation and bound tokens on %s',
  (engine) => {
    let kit: OidcKit;
    beforeAll(async () => {
      kit = await openOidcKit(engine);
    });
    afterAll(() => kit.stop());

    const post = async (
      path: string,
      form: Record<string, string>,
      headers: Record<string, string> = {},
    ) => {
      const response = await fetch(`${kit.baseUrl}${path}`, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers,
      });
      const text = await response.text();
      return {
        status: response.status,
        body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
      };
    };
    const as = (clientId: string) => ({
      authorization: `Basic ${Buffer.from(`${clientId}:${SECRET}`).toString('base64')}`,
    });

    async function decideDevice(accessToken: string, user_code: string, decision: string) {
      const headers = {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
      };
      return (
        await fetch(`${kit.baseUrl}/oauth2/device`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ user_code, decision }),
        })
      ).status;
    }

    test('a device without a browser gets its tokens once the user entered its code', async () => {
      const begun = await post('/oauth2/device_authorization', {
        client_id: 'terminal',
        scope: 'openid devices:read device:connect offline_access',
      });
      expect(begun).toMatchObject({
        status: 200,
        body: {
          verification_uri: `${kit.baseUrl}/device`,
          user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
        },
      });
      expect(begun.body.interval).toBe(5);
      const { device_code, user_code } = begun.body as { device_code: string; user_code: string };
      const poll = () =>
        askToken(kit.baseUrl, { grant_type: DEVICE_CODE, client_id: 'terminal', device_code });
      expect(await poll()).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });
      const { accessToken } = await kit.tokens.login(kit.userId);
      const shown = await fetch(
        `${kit.baseUrl}/oauth2/device?user_code=${user_code.toLowerCase().replace('-', '')}`,
        {
          headers: { authorization: `Bearer ${accessToken}` },
        },
      );
      expect(await shown.json()).toMatchObject({
        user_code,
        client_name: 'Terminal',
        scopes: expect.arrayContaining([{ name: 'devices:read', description: expect.any(String) }]),
      });
      expect(await decideDevice(accessToken, user_code, 'allow')).toBe(204);
      expect(await decideDevice(accessToken, user_code, 'allow')).toBe(404);
      const { status, body } = await poll();
      expect(status).toBe(200);
      expect(body).toMatchObject({
        token_type: 'Bearer',
        refresh_token: expect.any(String),
        id_token: expect.any(String),
      });
      const claims = JSON.parse(
        Buffer.from(body.device_token?.split('.')[1] ?? '', 'base64url').toString(),
      ) as Record<string, unknown>;
      expect(claims).toMatchObject({ token_use: 'device', client_id: 'terminal' });
      expect(await kit.callApi(body.device_token ?? '', '/me/devices')).toBe(200);
      expect(await poll()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      await expect.poll(() => kit.callApi(body.device_token ?? '', '/me/devices')).toBe(401);
    });

    test('a refused device gets an error; unknown codes, and guessing, are refused', async () => {
      const userId = await insertUser(kit.database);
      const { accessToken } = await kit.tokens.login(userId);
      const begun = await post('/oauth2/device_authorization', {
        client_id: 'terminal',
        scope: 'openid',
      });
      expect(await decideDevice(accessToken, String(begun.body.user_code), 'deny')).toBe(204);
      const poll = await askToken(kit.baseUrl, {
        grant_type: DEVICE_CODE,
        client_id: 'terminal',
        device_code: String(begun.body.device_code),
      });
      expect(poll).toMatchObject({ status: 400, body: { error: 'access_denied' } });
      const guesses = [];
      // More than two windows of the limit allow, because one may end between two guesses.
      for (let i = 0; i < 41; i++)
        guesses.push(await decideDevice(accessToken, `BBBB-BBB${'BCDFGHJKLM'[i % 10]}`, 'allow'));
      expect(guesses[0]).toBe(404);
      expect(guesses).toContain(429);
    });

    test('attack: introspection: a client sees its own tokens, operator servers all', async () => {
      const { body, login } = await kit.newTokens('openid email account:read');
      const token = body.access_token ?? '';
      expect((await post('/oauth2/introspect', { token }, as('resource'))).body).toMatchObject({
        active: true,
        client_id: 'app',
        sub: String(kit.userId),
        sid: login.sid,
        scope: 'openid email account:read',
        token_use: 'device',
        token_type: 'Bearer',
        iss: kit.baseUrl,
      });
      expect((await post('/oauth2/introspect', { token, client_id: 'app' })).body).toMatchObject({
        active: true,
      });
      const { accessToken } = await kit.tokens.login(kit.userId);
      const { body: offline } = await kit.newTokens('openid offline_access');
      for (const foreign of [token, accessToken, offline.refresh_token ?? ''])
        expect((await post('/oauth2/introspect', { token: foreign }, as('server'))).body).toEqual({
          active: false,
        });
      expect((await post('/oauth2/introspect', { token, client_id: 'other' })).body).toEqual({
        active: false,
      });
      expect(
        (await post('/oauth2/introspect', { token: `${token.slice(0, -4)}AAAA` }, as('resource')))
          .body,
      ).toEqual({ active: false });
      expect(
        (await post('/oauth2/introspect', { token, client_id: 'server', client_secret: 'wrong' }))
          .status,
      ).toBe(401);
      expect((await post('/oauth2/introspect', { token })).status).toBe(400);
    });

    test('checklist 9: a confidential client authenticates at all token endpoints', async () => {
      const { accessToken } = await kit.tokens.login(kit.userId);
      const exchange = {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: accessToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      };
      for (const [path, form] of [
        ['/oauth2/token', { grant_type: 'refresh_token', refresh_token: 'x' }],
        ['/oauth2/token', exchange],
        ['/oauth2/revoke', { token: accessToken }],
        ['/oauth2/introspect', { token: accessToken }],
      ] as [string, Record<string, string>][])
        for (const secret of [{}, { client_secret: 'wrong' }] as Record<string, string>[])
          expect({
            path,
            ...(await post(path, { ...form, client_id: 'server', ...secret })),
          }).toMatchObject({
            path,
            status: 401,
            body: { error: 'invalid_client' },
          });
    });

    test('revocation ends a token for the client that has it, for no other client', async () => {
      const { body } = await kit.newTokens('openid account:read');
      const token = body.access_token ?? '';
      expect((await post('/oauth2/revoke', { token, client_id: 'other' })).status).toBe(200);
      expect(await kit.callApi(token)).toBe(200);
      expect((await post('/oauth2/revoke', { token, client_id: 'app' })).status).toBe(200);
      await expect.poll(() => kit.callApi(token)).toBe(401);
      expect((await post('/oauth2/introspect', { token }, as('resource'))).body).toEqual({
        active: false,
      });
      expect((await post('/oauth2/revoke', { token: 'unknown', client_id: 'app' })).status).toBe(
        200,
      );
    });

    test('revoking a refresh token revokes its token family', async () => {
      const { body } = await kit.newTokens('openid account:read offline_access');
      expect(
        (await post('/oauth2/introspect', { token: body.refresh_token ?? '' }, as('resource')))
          .body,
      ).toMatchObject({ active: true });
      expect(
        (await post('/oauth2/revoke', { token: body.refresh_token ?? '', client_id: 'app' }))
          .status,
      ).toBe(200);
      expect((await kit.refresh(body.refresh_token ?? '')).status).toBe(400);
      await expect.poll(() => kit.callApi(body.access_token ?? '')).toBe(401);
    });

    test('userinfo returns what the scopes allow', async () => {
      const { body } = await kit.newTokens('openid email');
      const response = await fetch(`${kit.baseUrl}/oauth2/userinfo`, {
        headers: { authorization: `Bearer ${body.access_token}` },
      });
      expect(await response.json()).toEqual({
        sub: expect.stringMatching(/^[\w-]{43}$/),
        email: 'person@example.test',
        email_verified: true,
      });
      const without = await kit.newTokens('account:read');
      expect(await kit.callApi(without.body.access_token ?? '')).toBe(403);
    });

    async function newKey() {
      const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
      const jwk = await exportJWK(publicKey);
      return { jwk, privateKey, jkt: await calculateJwkThumbprint(jwk) };
    }

    function prove(
      { jwk, privateKey }: { jwk: JWK; privateKey: CryptoKey },
      htm: string,
      path: string,
      token?: string,
    ): Promise<string> {
      const ath =
        token === undefined ? {} : { ath: createHash('sha256').update(token).digest('base64url') };
      return new SignJWT({ htm, htu: `${kit.baseUrl}${path}`, jti: crypto.randomUUID(), ...ath })
        .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
        .setIssuedAt()
        .sign(privateKey);
    }

    test('a token with a DPoP proof is bound to the key, and so is its refresh token', async () => {
      const key = await newKey();
      const { form } = await kit.newCode('openid account:read offline_access');
      const { body } = await askToken(kit.baseUrl, form, {
        dpop: await prove(key, 'POST', '/oauth2/token'),
      });
      expect(body.token_type).toBe('DPoP');
      const token = body.access_token ?? '';
      expect(
        JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()),
      ).toMatchObject({ cnf: { jkt: key.jkt } });
      expect(await kit.callApi(token)).toBe(401);
      const call = async (proof: string) =>
        (
          await fetch(`${kit.baseUrl}/oauth2/userinfo`, {
            headers: { authorization: `DPoP ${token}`, dpop: proof },
          })
        ).status;
      expect(await call(await prove(key, 'GET', '/oauth2/userinfo', token))).toBe(200);
      expect(await call(await prove(await newKey(), 'GET', '/oauth2/userinfo', token))).toBe(401);
      const refresh = (headers: Record<string, string>) =>
        askToken(
          kit.baseUrl,
          {
            grant_type: 'refresh_token',
            client_id: 'app',
            refresh_token: body.refresh_token ?? '',
          },
          headers,
        );
      expect((await refresh({})).status).toBe(400);
      expect(
        (await refresh({ dpop: await prove(await newKey(), 'POST', '/oauth2/token') })).status,
      ).toBe(400);
      const proof = await prove(key, 'POST', '/oauth2/token');
      expect(await refresh({ dpop: proof })).toMatchObject({
        status: 200,
        body: { token_type: 'DPoP' },
      });
      expect((await refresh({ dpop: proof })).status).toBe(400);
    });

    test('attack: a key-bound code without its proof is refused, and stays valid', async () => {
      const [key, pkce] = [await newKey(), newPkce()];
      const { accessToken } = await kit.tokens.login(kit.userId);
      const request = { ...GOOD_REQUEST, dpop_jkt: key.jkt };
      const redirected = await runToRedirect(
        createBrowser(kit.baseUrl),
        accessToken,
        request,
        pkce,
      );
      const { client_id, redirect_uri } = GOOD_REQUEST;
      const form = {
        grant_type: 'authorization_code',
        client_id,
        redirect_uri,
        code: redirected.get('code') ?? '',
        code_verifier: pkce.verifier,
      };
      const ask = (headers: Record<string, string>) => askToken(kit.baseUrl, form, headers);
      expect(await ask({})).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect(
        await ask({ dpop: await prove(await newKey(), 'POST', '/oauth2/token') }),
      ).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect(await ask({ dpop: await prove(key, 'POST', '/oauth2/token') })).toMatchObject({
        status: 200,
        body: { token_type: 'DPoP' },
      });
      expect(await ask({ dpop: await prove(key, 'POST', '/oauth2/token') })).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant' },
      });
    });

    test('the exchange binds to a key too', async () => {
      const key = await newKey();
      const { accessToken } = await kit.tokens.login(kit.userId);
      const response = await fetch(`${kit.baseUrl}/oauth2/authorize`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          dpop: await prove(key, 'POST', '/oauth2/authorize'),
        },
        body: JSON.stringify({ access_token: accessToken, client_id: 'terminal' }),
      });
      expect(await response.json()).toMatchObject({ token_type: 'DPoP' });
    });
  },
);
