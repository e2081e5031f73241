/** Confidential clients that are registered without PKCE send `nonce` instead. */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
  createBrowser,
  decide,
  newPkce,
  runToRedirect,
} from '../../../test/support/browser-flow.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import {
  REDIRECT as APP_REDIRECT,
  interactionOf,
  type OidcKit,
  openOidcKit,
} from '../../../test/support/oidc-fixture.ts';
import { systemClock } from '../../lib/clock.ts';
import { createClient, updateClient } from '../clients/index.ts';

const REDIRECT = 'https://rp.example.test/cb';
const SECRET = 'c'.repeat(43);

describe.each(RUN_ENGINES)('PKCE by client on %s', (engine) => {
  let kit: OidcKit;
  let accessToken: string;
  const fields = {
    name: 'Without',
    isFirstParty: false,
    redirectUris: [REDIRECT],
    scopes: ['openid', 'email'],
    grantTypes: ['authorization_code'] as const,
  };
  beforeAll(async () => {
    kit = await openOidcKit(engine);
    ({ accessToken } = await kit.tokens.login(kit.userId));
    const shared = { ...fields, isPublic: false, secret: SECRET };
    await createClient(kit.database, systemClock, {
      ...shared,
      clientId: 'without',
      requiresPkce: false,
    });
    await createClient(kit.database, systemClock, { ...shared, clientId: 'with' });
  });
  afterAll(() => kit.stop());

  const ask = async (parameters: Record<string, string>) => {
    const browser = createBrowser(kit.baseUrl);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'without',
      redirect_uri: REDIRECT,
      scope: 'openid',
      ...parameters,
    });
    return { browser, ...(await browser.get(`/oauth2/authorize?${query}`)) };
  };
  const getCode = async (parameters: Record<string, string>): Promise<string> => {
    const { browser, location } = await ask(parameters);
    const next = await decide(kit.baseUrl, accessToken, interactionOf(location));
    const ended = await browser.get(next);
    return new URL(ended.location).searchParams.get('code') ?? '';
  };
  const redeem = (code: string, more: Record<string, string> = {}) =>
    askToken(kit.baseUrl, {
      grant_type: 'authorization_code',
      client_id: 'without',
      client_secret: SECRET,
      code,
      redirect_uri: REDIRECT,
      ...more,
    });

  test.each([
    ['neither challenge nor nonce', {}],
    ['an empty nonce', { nonce: '' }],
    ['a nonce, of a client registered with PKCE', { nonce: 'n-1', client_id: 'with' }],
    ['a nonce, of a public client', { nonce: 'n-1', client_id: 'app', redirect_uri: APP_REDIRECT }],
  ])('refuses %s', async (_name, parameters) => {
    const { location } = await ask(parameters);
    const { searchParams } = new URL(location);
    expect(searchParams.get('error')).toBe('invalid_request');
    expect(searchParams.get('error_description')).toContain('PKCE');
  });

  test('refuses a nonce without an ID token that could hold it', async () => {
    const { location } = await ask({ nonce: 'n-1', scope: 'email' });
    expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
  });

  test('serves a request with nonce, which is returned in the ID token', async () => {
    const { status, body } = await redeem(await getCode({ nonce: 'n-2' }));
    expect(status).toBe(200);
    expect(decodeJwt(body.id_token ?? '').nonce).toBe('n-2');
  });

  test('refuses a verifier for a code without a challenge', async () => {
    const code = await getCode({ nonce: 'n-3' });
    const answer = await redeem(code, { code_verifier: newPkce().verifier });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('compares the verifier if a challenge was sent', async () => {
    const pkce = newPkce();
    const parameters = { client_id: 'without', redirect_uri: REDIRECT, scope: 'openid' };
    const run = async (): Promise<string> => {
      const browser = createBrowser(kit.baseUrl);
      const answer = await runToRedirect(browser, accessToken, parameters, pkce);
      return answer.get('code') ?? '';
    };
    expect(await redeem(await run())).toMatchObject({ status: 400 });
    expect(await redeem(await run(), { code_verifier: pkce.verifier })).toMatchObject({
      status: 200,
    });
  });

  test('a public client can neither be registered without PKCE nor lose it', async () => {
    const refusal = { code: 'invalid_parameter' };
    await expect(
      createClient(kit.database, systemClock, { ...fields, isPublic: true, requiresPkce: false }),
    ).rejects.toMatchObject(refusal);
    await expect(
      updateClient(kit.database, systemClock, 'app', { requiresPkce: false }),
    ).rejects.toMatchObject(refusal);
  });
});
