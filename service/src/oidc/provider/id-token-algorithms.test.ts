/** Clients choose the algorithm of their ID tokens: ES256 and EdDSA beside RS256. */
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
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
import { testMasterKey } from '../../../test/support/test-config.ts';
import { systemClock } from '../../lib/clock.ts';
import { type ClientMetadata, createClient, updateClient } from '../clients/index.ts';
import { keyPolicyOf } from '../create-oidc.ts';
import { dropKey, rotateKeys } from '../keys/index.ts';

const REDIRECT = 'https://signed.example.test/cb';
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const;

interface PublishedKey {
  readonly kid: string;
  readonly kty: string;
  readonly alg: string;
}

describe.each(RUN_ENGINES)('algorithms of ID tokens on %s', (engine) => {
  let kit: OidcKit;
  beforeAll(async () => {
    kit = await openOidcKit(engine);
    expect(new Set((await published()).map(({ alg }) => alg))).toEqual(new Set(['RS256']));
    for (const alg of ALGORITHMS)
      await createClient(kit.database, systemClock, {
        clientId: alg.toLowerCase(),
        name: alg,
        isPublic: true,
        isFirstParty: false,
        redirectUris: [REDIRECT],
        scopes: ['openid', 'account:read'],
        grantTypes: ['authorization_code'],
        metadata: { id_token_signed_response_alg: alg },
      });
  });
  afterAll(() => kit.stop());

  const published = async (): Promise<readonly PublishedKey[]> => {
    const response = await fetch(`${kit.baseUrl}/.well-known/jwks.json`);
    return ((await response.json()) as { keys: PublishedKey[] }).keys;
  };
  const signIn = async (clientId: string) => {
    const pkce = newPkce();
    const browser = createBrowser(kit.baseUrl);
    const scope = 'openid account:read';
    const request = { client_id: clientId, redirect_uri: REDIRECT, scope };
    const { location } = await browser.get(authorizeUrl(request, pkce));
    const { accessToken } = await kit.tokens.login(kit.userId);
    const next = await decide(kit.baseUrl, accessToken, interactionOf(location));
    const code = new URL((await browser.get(next)).location).searchParams.get('code') ?? '';
    const { body } = await askToken(kit.baseUrl, {
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_verifier: pkce.verifier,
    });
    return { idToken: body.id_token ?? '', accessToken: body.access_token ?? '' };
  };

  test('keys of an algorithm are created for the first client that uses it', async () => {
    await signIn('es256');
    const keys = await published();
    expect(keys.map(({ alg }) => alg).toSorted()).toEqual(
      ALGORITHMS.flatMap((alg) => [alg, alg]).toSorted(),
    );
    expect(keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256' });
    const discovery = await fetch(`${kit.baseUrl}/.well-known/openid-configuration`);
    expect(await discovery.json()).toMatchObject({
      id_token_signing_alg_values_supported: [...ALGORITHMS],
    });
  });

  test.each(ALGORITHMS)('%s signs the ID token, RS256 the access token', async (alg) => {
    const { idToken, accessToken } = await signIn(alg.toLowerCase());
    const keys = createRemoteJWKSet(new URL(`${kit.baseUrl}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(idToken, keys, {
      issuer: kit.baseUrl,
      audience: alg.toLowerCase(),
      algorithms: [alg],
    });
    expect(protectedHeader.alg).toBe(alg);
    expect(payload.auth_time).toEqual(expect.any(Number));
    expect(decodeProtectedHeader(accessToken)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
    expect(await kit.callApi(accessToken)).toBe(200);
  });

  test('attack: an ID token is not accepted as access token, whatever signed it', async () => {
    for (const alg of ALGORITHMS)
      expect(await kit.callApi((await signIn(alg.toLowerCase())).idToken)).toBe(401);
  });

  test('attack: a client cannot ask for no signature, or for one with its secret', async () => {
    for (const alg of ['none', 'HS256']) {
      const metadata = { id_token_signed_response_alg: alg } as unknown as ClientMetadata;
      await expect(updateClient(kit.database, systemClock, 'es256', { metadata })).rejects.toThrow(
        'id_token_signed_response_alg',
      );
    }
  });

  test('no private member is published', async () => {
    for (const key of await published())
      for (const member of ['d', 'p', 'q', 'k']) expect(key).not.toHaveProperty(member);
  });

  test('each algorithm rotates, and an emergency drops what signs with each', async () => {
    await signIn('es256');
    await signIn('eddsa');
    const before = await published();
    expect(before).toHaveLength(6);
    const policy = keyPolicyOf(kit.service.config);
    const at = await rotateKeys(kit.database, systemClock, testMasterKey, policy);
    await rotateKeys(kit.database, { now: () => at }, testMasterKey, policy);
    await expect.poll(async () => (await published()).length).toBe(9);
    const currentOf = async (alg: string) => (await published()).find((key) => key.alg === alg);
    for (const alg of ALGORITHMS) {
      const [first, next] = before.filter((key) => key.alg === alg);
      expect(await currentOf(alg)).toEqual(next);
      expect((await published()).map(({ kid }) => kid)).toContain(first?.kid);
    }
    const dropped = await dropKey(kit.database, systemClock, testMasterKey, policy);
    expect(dropped.split(', ')).toHaveLength(3);
    await expect
      .poll(async () => (await published()).filter(({ kid }) => dropped.includes(kid)))
      .toEqual([]);
    expect(decodeProtectedHeader((await signIn('es256')).idToken).alg).toBe('ES256');
  });
});
