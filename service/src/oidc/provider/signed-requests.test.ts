/** Clients with keys of their own: private_key_jwt, signed requests, pushed requests. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
  authorizeUrl,
  createBrowser,
  decide,
  newPkce,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { interactionOf, type OidcKit, openOidcKit } from '../../../test/support/oidc-fixture.ts';
import { systemClock } from '../../lib/clock.ts';
import { type ClientMetadata, createClient, updateClient } from '../clients/index.ts';

const BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const REDIRECT = 'https://keyed.example.test/cb';

describe.each(RUN_ENGINES)('clients that sign on %s', (engine) => {
  let kit: OidcKit;
  let own: GenerateKeyPairResult;
  let remote: GenerateKeyPairResult;
  let count = 0;
  const published = createServer(async (_request, response) => {
    const keys = [{ ...(await exportJWK(remote.publicKey)), kid: 'r' }];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  beforeAll(async () => {
    own = await generateKeyPair('ES256');
    remote = await generateKeyPair('Ed25519');
    await once(published.listen(0, '127.0.0.1'), 'listening');
    const { port } = published.address() as AddressInfo;
    kit = await openOidcKit(engine, { OUTGOING_LOOPBACK: 'allow' });
    const method = { token_endpoint_auth_method: 'private_key_jwt' } as const;
    const jwk = await exportJWK(own.publicKey);
    const jwks = { keys: [{ ...jwk, kty: 'EC', kid: 'o' }] };
    const clients: Record<string, ClientMetadata> = {
      keyed: { ...method, jwks },
      remote: { ...method, jwks_uri: `http://127.0.0.1:${port}/keys` },
      pushing: { ...method, jwks, require_pushed_authorization_requests: true },
      signing: { ...method, jwks, require_signed_request_object: true },
    };
    for (const [clientId, metadata] of Object.entries(clients)) {
      const { secret } = await createClient(kit.database, systemClock, {
        clientId,
        name: clientId,
        isPublic: false,
        isFirstParty: false,
        redirectUris: [REDIRECT],
        scopes: ['openid'],
        grantTypes: ['authorization_code'],
        metadata,
      });
      expect(secret).toBeUndefined();
    }
  });
  afterAll(async () => {
    await kit.stop();
    published.close();
  });

  const now_s = () => Math.floor(systemClock.now().getTime() / 1000);
  const sign = (claims: object, key = own, header: object = { alg: 'ES256', kid: 'o' }) =>
    new SignJWT({ ...claims }).setProtectedHeader(header as { alg: string }).sign(key.privateKey);
  const assertion = (clientId: string, changes: object = {}) => ({
    iss: clientId,
    sub: clientId,
    aud: kit.baseUrl,
    jti: `j${++count}`,
    iat: now_s(),
    exp: now_s() + 60,
    ...changes,
  });
  const authenticated = (client_assertion: string) => ({
    client_assertion_type: BEARER,
    client_assertion,
  });
  const codeFor = async (url: string): Promise<string> => {
    const browser = createBrowser(kit.baseUrl);
    const { location } = await browser.get(url);
    const { accessToken } = await kit.tokens.login(kit.userId);
    const next = await decide(kit.baseUrl, accessToken, interactionOf(location));
    const ended = new URL((await browser.get(next)).location);
    expect(ended.searchParams.get('error_description')).toBeNull();
    return ended.searchParams.get('code') ?? '';
  };
  const request = (client_id: string) => ({ client_id, redirect_uri: REDIRECT, scope: 'openid' });
  const redeem = (code: string, verifier: string, client_assertion: string) =>
    askToken(kit.baseUrl, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
      ...authenticated(client_assertion),
    });
  const push = async (form: Record<string, string>) => {
    const response = await fetch(`${kit.baseUrl}/oauth2/par`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const body = (await response.json()) as Record<string, string>;
    return { status: response.status, body };
  };

  test.each(['keyed', 'remote'])('%s redeems its code with a JWT', async (clientId) => {
    const pkce = newPkce();
    const code = await codeFor(authorizeUrl(request(clientId), pkce));
    const signed =
      clientId === 'keyed'
        ? await sign(assertion(clientId))
        : await sign(assertion(clientId), remote, { alg: 'Ed25519', kid: 'r' });
    expect(await redeem(code, pkce.verifier, signed)).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer' },
    });
  });

  test('attack: an assertion that is used twice, forged, foreign, late or too long', async () => {
    const pkce = newPkce();
    const code = await codeFor(authorizeUrl(request('keyed'), pkce));
    const refused = [
      await sign(assertion('keyed', { iss: 'signing' })),
      await sign(assertion('keyed', { aud: 'https://other.example.test' })),
      await sign(assertion('keyed', { exp: now_s() - 60 })),
      await sign(assertion('keyed', { exp: now_s() + 86_400 })),
      await sign(assertion('keyed', { jti: undefined })),
      await sign(assertion('keyed'), await generateKeyPair('ES256')),
    ];
    for (const signed of refused)
      expect(await redeem(code, pkce.verifier, signed)).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
    const secret = { grant_type: 'authorization_code', code, client_id: 'keyed' };
    expect(await askToken(kit.baseUrl, { ...secret, client_secret: 'x' })).toMatchObject({
      status: 401,
    });
    expect(await askToken(kit.baseUrl, secret)).toMatchObject({ status: 401 });
    const signed = await sign(assertion('keyed'));
    expect((await redeem(code, pkce.verifier, signed)).status).toBe(200);
    expect(await redeem(code, pkce.verifier, signed)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });

  test('a pushed request leads to a code, once', async () => {
    const pkce = newPkce();
    const { searchParams } = new URL(authorizeUrl(request('pushing'), pkce), kit.baseUrl);
    const form = Object.fromEntries(searchParams);
    const pushed = await push({ ...form, ...authenticated(await sign(assertion('pushing'))) });
    expect(pushed).toMatchObject({ status: 201, body: { expires_in: 60 } });
    const request_uri = pushed.body.request_uri ?? '';
    const url = `/oauth2/authorize?${new URLSearchParams({ client_id: 'pushing', request_uri })}`;
    const code = await codeFor(url);
    expect((await redeem(code, pkce.verifier, await sign(assertion('pushing')))).status).toBe(200);
    const again = await createBrowser(kit.baseUrl).get(url);
    expect([again.status, again.location]).toEqual([400, '']);
    const plain = await createBrowser(kit.baseUrl).get(authorizeUrl(request('pushing'), newPkce()));
    expect(new URL(plain.location).searchParams.get('error')).toBe('invalid_request');
  });

  test('attack: one pushed request in two browsers gives one code', async () => {
    const { searchParams } = new URL(authorizeUrl(request('pushing'), newPkce()), kit.baseUrl);
    const form = Object.fromEntries(searchParams);
    const pushed = await push({ ...form, ...authenticated(await sign(assertion('pushing'))) });
    const query = new URLSearchParams({
      client_id: 'pushing',
      request_uri: pushed.body.request_uri ?? '',
    });
    const { accessToken } = await kit.tokens.login(kit.userId);
    const waiting = [createBrowser(kit.baseUrl), createBrowser(kit.baseUrl)].map(
      async (browser) => {
        const { location } = await browser.get(`/oauth2/authorize?${query}`);
        const next = await decide(kit.baseUrl, accessToken, interactionOf(location));
        return { browser, next };
      },
    );
    const ends = (await Promise.all(waiting)).map(async ({ browser, next }) => {
      const { location } = await browser.get(next);
      return location === ''
        ? undefined
        : (new URL(location).searchParams.get('code') ?? undefined);
    });
    expect((await Promise.all(ends)).filter((code) => code !== undefined)).toHaveLength(1);
  });

  test('attack: pushing as another client, as none, or with a foreign redirect', async () => {
    const { searchParams } = new URL(authorizeUrl(request('pushing'), newPkce()), kit.baseUrl);
    const form = Object.fromEntries(searchParams);
    expect(await push(form)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const other = authenticated(await sign(assertion('keyed')));
    expect(await push({ ...form, ...other })).toMatchObject({ status: 400 });
    const mine = authenticated(await sign(assertion('pushing')));
    const evil = { ...form, redirect_uri: 'https://evil.example/cb' };
    expect(await push({ ...evil, ...mine })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  test('a public client pushes too', async () => {
    const parameters = {
      client_id: 'app',
      redirect_uri: 'https://app.example.test/callback',
      scope: 'openid offline_access',
    };
    const pkce = newPkce();
    const { searchParams } = new URL(authorizeUrl(parameters, pkce), kit.baseUrl);
    const { status, body } = await push(Object.fromEntries(searchParams));
    expect(status).toBe(201);
    const { request_uri = '' } = body;
    const query = new URLSearchParams({ client_id: 'app', request_uri });
    const code = await codeFor(`/oauth2/authorize?${query}`);
    const tokens = await askToken(kit.baseUrl, {
      grant_type: 'authorization_code',
      client_id: 'app',
      code,
      redirect_uri: parameters.redirect_uri,
      code_verifier: pkce.verifier,
    });
    expect(tokens.body).toHaveProperty('refresh_token');
  });

  test('a signed request is used as it was signed', async () => {
    const pkce = newPkce();
    const { searchParams } = new URL(authorizeUrl(request('signing'), pkce), kit.baseUrl);
    const claims = {
      ...Object.fromEntries(searchParams),
      iss: 'signing',
      aud: kit.baseUrl,
      exp: now_s() + 60,
    };
    const around = { client_id: 'signing', response_type: 'code', scope: 'openid' };
    const url = async (signed: string, more: object = {}) =>
      `/oauth2/authorize?${new URLSearchParams({ ...around, ...more, request: signed })}`;
    // Parameters outside the signed request have no effect.
    const code = await codeFor(
      await url(await sign(claims), { redirect_uri: 'https://evil.example/' }),
    );
    expect((await redeem(code, pkce.verifier, await sign(assertion('signing')))).status).toBe(200);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(
      JSON.stringify(claims),
    ).toString('base64url')}.`;
    for (const refused of [
      await sign(claims, await generateKeyPair('ES256')),
      await sign({ ...claims, iss: 'keyed' }),
      await sign({ ...claims, aud: 'https://other.example.test' }),
      await sign({ ...claims, exp: now_s() - 60 }),
      await sign({ ...claims, client_id: 'keyed' }),
      none,
      'x',
    ]) {
      const { status, location } = await createBrowser(kit.baseUrl).get(await url(refused));
      expect([status, location]).toEqual([400, '']);
    }
    const plain = await createBrowser(kit.baseUrl).get(authorizeUrl(request('signing'), newPkce()));
    expect(new URL(plain.location).searchParams.get('error')).toBe('invalid_request');
  });

  test('discovery lists what is supported', async () => {
    const response = await fetch(`${kit.baseUrl}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      pushed_authorization_request_endpoint: `${kit.baseUrl}/oauth2/par`,
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']),
      token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining([
        'ES256',
        'Ed25519',
      ]),
      request_object_signing_alg_values_supported: expect.not.arrayContaining(['none', 'HS256']),
    });
  });

  test('how a client authenticates is fixed, and its keys are checked', async () => {
    const change = (clientId: string, metadata: ClientMetadata) =>
      updateClient(kit.database, systemClock, clientId, { metadata });
    const fixed = { token_endpoint_auth_method: 'client_secret_basic' } as const;
    await expect(change('keyed', fixed)).rejects.toThrow('token_endpoint_auth_method');
    await expect(
      change('app', { jwks: { keys: [Object.assign({ kty: 'oct' }, { k: 'x' })] } }),
    ).rejects.toThrow('jwks');
    await expect(change('keyed', { jwks: { keys: [] } })).rejects.toThrow('jwks');
    await expect(change('keyed', { jwks_uri: 'https://x.example.test' })).rejects.toThrow(
      'jwks_uri',
    );
    await expect(change('app', { require_signed_request_object: true })).rejects.toThrow('jwks');
    const secret = await exportJWK(
      (await generateKeyPair('ES256', { extractable: true })).privateKey,
    );
    await expect(change('app', { jwks: { keys: [{ ...secret, kty: 'EC' }] } })).rejects.toThrow(
      'jwks',
    );
  });
});
