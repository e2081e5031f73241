/** Sign-in at one instance of this service with an account of another installation of it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/db/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createClient } from '../src/oidc/index.ts';
import { createBrowser } from './support/browser-flow.ts';
import { openTestDatabase } from './support/databases.ts';
import { createHttpPeople, type HttpPeople } from './support/http-person.ts';
import { type RunningService, startService } from './support/running-service.ts';

interface Installation {
  readonly database: Database;
  readonly service: RunningService;
  readonly people: HttpPeople;
}

let own: Installation;
let other: Installation;

async function install(): Promise<Installation> {
  const database = await openTestDatabase('server');
  const env = { OUTGOING_LOOPBACK: 'allow', CHALLENGE: 'off' };
  const service = await startService(database, { env });
  const origin = { ip: '127.0.0.1', userAgent: 'browser' };
  return { database, service, people: createHttpPeople(service.app, database, origin) };
}

beforeAll(async () => {
  [own, other] = await Promise.all([install(), install()]);
});
afterAll(async () => {
  for (const { database, service } of [own, other]) {
    await service.stop();
    await database.close();
  }
});

/** Signs in and consents at the other installation, and returns the parameters of the callback. */
async function visit(authorizationUrl: string, token: string): Promise<Record<string, string>> {
  const browser = createBrowser(other.service.baseUrl);
  const asked = await browser.get(authorizationUrl);
  const interaction_id = new URL(asked.location, other.service.baseUrl).searchParams.get(
    'interaction_id',
  );
  const consent = await other.people.send('POST', '/oauth2/authorize/consent', {
    token,
    body: { interaction_id, decision: 'allow' },
  });
  const { location } = await browser.get(consent.json().redirect_to);
  expect(location).toContain(`${own.service.baseUrl}/sign-in/upstream/other?`);
  return { provider: 'other', ...Object.fromEntries(new URL(location).searchParams) };
}

test('an account of the other installation signs in, and its user is created here', async () => {
  const client = await createClient(
    other.database,
    systemClock,
    {
      ...{ name: 'Own', isPublic: false, isFirstParty: false, requiresPkce: true },
      redirectUris: [`${own.service.baseUrl}/sign-in/upstream/other`],
      ...{ scopes: ['openid', 'email', 'profile'], grantTypes: ['authorization_code'] },
      metadata: {},
    },
    new Set(),
  );
  const token = await own.service.tokens.operator('operator:clients');
  const stored = await own.people.send('PUT', '/operator/upstream-providers/other', {
    token,
    body: {
      ...{ label: 'Other network', issuer: other.service.baseUrl },
      ...{ client_id: client.client.clientId, client_secret: client.secret },
      // A passkey there is enough here.
      second_factor_amr: ['hwk'],
    },
  });
  expect(stored.statusCode, stored.body).toBe(200);
  const email = 'ada@example.test';
  const userId = await other.people.signUp(email);
  const signIn = async (amr: string[]) => {
    const { accessToken } = await other.service.tokens.login(userId, { email, amr });
    const started = await own.people.send('POST', '/user/login/upstream', {
      body: { provider: 'other' },
    });
    const callback = await visit(started.json().authorization_url, accessToken);
    return own.people.send('POST', '/user/login/upstream/finish', { body: callback });
  };
  const first = (await signIn(['pwd', 'email', 'mfa'])).json();
  expect(first).toMatchObject({ next: 'registration', email, name: 'Owner' });
  const registered = await own.people.send('POST', '/user/register/upstream', {
    body: { registration_ticket: first.registration_ticket, nickname: 'Ada' },
  });
  const { rows } = await own.database.query<{ body: string }>(
    'select body from mail where recipient = $1 order by id desc limit 1',
    [email],
  );
  const validate_code = /^\d{6}$/m.exec(rows[0]?.body ?? '')?.[0];
  const { register_ticket } = registered.json();
  const verified = await own.people.send('POST', '/user/register/verify', {
    body: { email, register_ticket, validate_code },
  });
  const { login_ticket } = verified.json();
  const done = await own.people.send('POST', '/user/login/2fa', {
    body: { email, login_ticket, method: 'EMAIL', validate_code },
  });
  expect(done.statusCode, done.body).toBe(200);
  const again = (await signIn(['pwd', 'hwk', 'mfa'])).json();
  expect(again).toMatchObject({ next: 'signed_in', email });
  const me = await own.people.send('GET', '/me', { token: again.access_token });
  expect(me.json()).toMatchObject({ email, nickname: 'Ada' });
});
