import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  askToken,
  authorizeUrl,
  createBrowser,
  newPkce,
} from '../../../test/support/browser-flow.ts';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import { type RunningService, startService } from '../../../test/support/running-service.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import type { Database } from '../../db/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { createClient } from '../clients/index.ts';
import { readCategories } from './categories.ts';

const REDIRECT = 'https://app.example.test/callback';

test('categories of a request are separated by commas', () => {
  expect(readCategories(undefined)).toEqual([]);
  expect(readCategories(' web,video streams, web,,')).toEqual(['web', 'video streams']);
  expect(readCategories(Array.from({ length: 32 }, (_, i) => `c${i}`).join(','))).toHaveLength(32);
  for (const wrong of [
    Array.from({ length: 33 }, (_, i) => `c${i}`).join(','),
    'x'.repeat(65),
    'a\u0007',
    'a\u202eb',
    ['web'],
    7,
  ])
    expect(readCategories(wrong)).toBeUndefined();
});

describe.each(RUN_ENGINES)('categories of traffic on %s', (engine) => {
  let database: Database;
  let service: RunningService;
  let accessToken: string;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    service = await startService(database);
    ({ accessToken } = await service.tokens.login(await insertUser(database)));
    await createClient(database, systemClock, {
      clientId: 'app',
      name: 'App',
      redirectUris: [REDIRECT],
      isFirstParty: true,
      isPublic: true,
      scopes: ['openid', 'device:connect'],
      grantTypes: ['authorization_code'],
    });
  });
  afterAll(async () => {
    await service.stop();
    await database.close();
  });

  async function call(
    method: string,
    path: string,
    body?: object,
    token = accessToken,
  ): Promise<Record<string, unknown>> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    return (await (
      await fetch(`${service.baseUrl}${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
    ).json()) as Record<string, unknown>;
  }
  const pkce = newPkce();
  const browser = () => createBrowser(service.baseUrl);
  const requestFor = (device_categories: string) =>
    authorizeUrl(
      {
        client_id: 'app',
        redirect_uri: REDIRECT,
        scope: 'openid device:connect',
        state: 's',
        device_categories,
      },
      pkce,
    );

  /**
   * Signs in again, with the categories that the device requests and those that the user leaves
   * off.
   */
  async function tokenFor(asked: string, categories: string[]): Promise<string> {
    const tab = browser();
    const interaction_id =
      new URL((await tab.get(requestFor(asked))).location).searchParams.get('interaction_id') ?? '';
    const { redirect_to } = await call('POST', '/oauth2/authorize/consent', {
      interaction_id,
      decision: 'allow',
      categories,
    });
    const code =
      new URL((await tab.get(String(redirect_to))).location).searchParams.get('code') ?? '';
    const form = {
      grant_type: 'authorization_code',
      client_id: 'app',
      code,
      redirect_uri: REDIRECT,
      code_verifier: pkce.verifier,
    };
    return (await askToken(service.baseUrl, form)).body.device_token ?? '';
  }

  test('a new consent decides on the categories shown; a deleted device has none', async () => {
    const path = `/me/devices/${engine}-again`;
    const putWith = async (asked: string, categories: string[]) =>
      call(
        'PUT',
        path,
        { device_type: 'TERMINAL', requested_categories: ['web', 'video', 'mail'] },
        await tokenFor(asked, categories),
      );
    expect(await putWith('web,video,mail', ['web', 'video', 'mail'])).toMatchObject({
      granted_categories: ['web', 'video', 'mail'],
    });
    expect(await putWith('web,video', ['web'])).toMatchObject({
      granted_categories: ['web', 'mail'],
    });
    expect(await putWith('web', [])).toMatchObject({ granted_categories: ['mail'] });
    expect(await call('POST', `${path}/delete`)).toMatchObject({ status: 'deleted' });
    expect(await putWith('video', ['video'])).toMatchObject({ granted_categories: ['video'] });
  });

  test('the user grants them with the consent; the device has them at registration', async () => {
    const tab = browser();
    const begun = await tab.get(requestFor('web,video,games'));
    const interaction_id = new URL(begun.location).searchParams.get('interaction_id') ?? '';
    // A first-party client needs consent too: the user decides which traffic a device may carry.
    expect(
      await call('GET', `/oauth2/authorize/consent?interaction_id=${interaction_id}`),
    ).toMatchObject({
      categories: ['web', 'video', 'games'],
      allowed_already: false,
    });
    const decide = (categories: string[]) =>
      call('POST', '/oauth2/authorize/consent', { interaction_id, decision: 'allow', categories });
    expect(await decide(['mail'])).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      errors: [{ field: 'categories' }],
    });
    const { redirect_to } = await decide(['games', 'web']);
    const code =
      new URL((await tab.get(String(redirect_to))).location).searchParams.get('code') ?? '';
    const form = {
      grant_type: 'authorization_code',
      client_id: 'app',
      code,
      redirect_uri: REDIRECT,
      code_verifier: pkce.verifier,
    };
    const { body } = await askToken(service.baseUrl, form);
    const token = body.device_token ?? '';
    const put = (requested_categories: string[]) =>
      call(
        'PUT',
        `/me/devices/${engine}-c`,
        { device_type: 'TERMINAL', requested_categories },
        token,
      );
    expect(await put(['video', 'web', 'mail'])).toMatchObject({
      granted_categories: ['web'],
      requested_categories: ['video', 'web', 'mail'],
    });
    expect(await put(['video', 'web', 'games'])).toMatchObject({ granted_categories: ['web'] });
    expect(
      await call('PATCH', `/me/devices/${engine}-c`, { granted_categories: [] }),
    ).toMatchObject({ granted_categories: [] });
    expect(await put(['video', 'web'])).toMatchObject({ granted_categories: [] });
  });

  test('no category is granted without consent, and malformed ones are refused', async () => {
    const tab = browser();
    const first = await tab.get(requestFor(''));
    const interaction_id = new URL(first.location).searchParams.get('interaction_id') ?? '';
    const { redirect_to } = await call('POST', '/oauth2/authorize/consent', {
      interaction_id,
      decision: 'allow',
    });
    await tab.get(String(redirect_to));
    expect(
      (
        await tab.get(
          authorizeUrl({ client_id: 'app', redirect_uri: REDIRECT, scope: 'openid' }, pkce),
        )
      ).location,
    ).toContain('code=');
    expect((await tab.get(requestFor('web'))).location).toContain('interaction_id=');
    for (const wrong of ['x'.repeat(65), '\u200bweb'])
      expect((await tab.get(requestFor(wrong))).location).toMatch(
        /^https:\/\/app\.example\.test\/callback\?error=invalid_request&/,
      );
  });
});
