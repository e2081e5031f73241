/** How often one address may start devices and try secrets, and how clients identify themselves. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { type OidcKit, openOidcKit, SECRET } from '../../../test/support/oidc-fixture.ts';
import { systemClock } from '../../lib/clock.ts';

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const FIVE_MINUTES_MS = 300_000;

describe.each(RUN_ENGINES)('callers of the protocol on %s', (engine) => {
  let kit: OidcKit;
  let ahead_ms = 0;
  beforeAll(async () => {
    // It stands, so that no window of a limit ends in the middle of a test.
    const startedAt_ms = systemClock.now().getTime();
    const clock = { now: () => new Date(startedAt_ms + ahead_ms) };
    kit = await openOidcKit(engine, { TRUSTED_PROXIES: '127.0.0.1' }, clock);
  });
  afterAll(() => kit.stop());

  async function post(
    path: string,
    form: Record<string, string>,
    from: string,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(`${kit.baseUrl}/oauth2/${path}`, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { 'x-forwarded-for': from, ...headers },
    });
    const { status } = response;
    const retryAfter = response.headers.get('retry-after');
    return { status, retryAfter, body: (await response.json()) as Record<string, unknown> };
  }
  const statusesOf = async (count: number, ask: () => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) statuses.push((await ask()).status);
    return statuses;
  };
  const startDevice = (from: string) =>
    post('device_authorization', { client_id: 'terminal', scope: 'openid' }, from);
  const credentials = (secret: string, from: string, id = 'resource') =>
    post('token', { grant_type: 'client_credentials' }, from, basic(id, secret));

  test('attack: one address starts devices without end', async () => {
    const statuses = await statusesOf(62, () => startDevice('203.0.113.1'));
    expect(statuses).toEqual([...Array(60).fill(200), 429, 429]);
    const refused = await startDevice('203.0.113.1');
    expect(refused).toMatchObject({ status: 429, body: { error: 'temporarily_unavailable' } });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    expect((await startDevice('203.0.113.2')).status).toBe(200);
    const { rows } = await kit.database.query(
      "select 1 from oidc_object where model = 'DeviceCode'",
    );
    expect(rows).toHaveLength(61);
  });

  test('attack: one address tries secrets of a client', async () => {
    const from = '203.0.113.3';
    const statuses = await statusesOf(25, () => credentials('wrong', from));
    expect(statuses).toEqual([...Array(21).fill(401), ...Array(4).fill(429)]);
    const refused = await credentials(SECRET, from);
    expect(refused.status).toBe(429);
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    expect((await credentials(SECRET, '203.0.113.4')).status).toBe(200);
    const other = { grant_type: 'authorization_code', client_id: 'app', code: 'x' };
    expect((await post('token', other, from)).status).toBe(400);
    ahead_ms = FIVE_MINUTES_MS;
    expect((await credentials(SECRET, from)).status).toBe(200);
  });

  test('attack: one address tries secrets of many clients', async () => {
    const from = '203.0.113.5';
    let refused = 0;
    for (let i = 0; i < 210; i++)
      if ((await credentials('wrong', from, `client-${i}`)).status === 429) refused++;
    expect(refused).toBe(9);
  });

  test('right secrets are not limited', async () => {
    const statuses = await statusesOf(30, () => credentials(SECRET, '203.0.113.6'));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('Basic with an empty secret names a public client, and no other', async () => {
    const form = { scope: 'openid' };
    const from = '203.0.113.7';
    const device = await post('device_authorization', form, from, basic('terminal', ''));
    expect(device).toMatchObject({ status: 200, body: { user_code: expect.any(String) } });
    const named = { client_id: 'terminal', ...form };
    expect((await post('device_authorization', named, from, basic('terminal', ''))).status).toBe(
      200,
    );
    expect((await credentials('', from)).body).toMatchObject({ error: 'invalid_client' });
    const mixed = await post('device_authorization', named, from, basic('resource', ''));
    expect(mixed.status).toBeGreaterThanOrEqual(400);
  });
});
