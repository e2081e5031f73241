/**
 * Devices on the SDK against the real service: sign-in by code, keys of their own, restarts,
 * revocations, wrong clocks.
 */
import {
  createDeviceConnection,
  createDpopKey,
  createEdgeClient,
  createServerClock,
  createTokenSource,
  type DeviceState,
  EdgeError,
  exchangeToken,
  fixedToken,
  type OAuthOptions,
  streamEvents,
  type TokenSet,
  unwrap,
} from '@edge-account/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createClient } from '../../src/oidc/index.ts';
import { openTestDatabase, RUN_ENGINES } from '../support/databases.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { testConfig, testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';
import { createTestTokens, type TestTokens } from '../support/tokens.ts';

const FORM = { device_type: 'TERMINAL' as const, browser: 'test', os: 'Linux' };

describe.each(RUN_ENGINES)('a network of devices on %s', (engine) => {
  let database: Database;
  let config: Config;
  let app: Awaited<ReturnType<typeof createApp>>;
  let tokens: TestTokens;

  async function start(): Promise<void> {
    app = await createApp({ config, database, masterKey: testMasterKey });
    await app.start();
    await app.http.listen({ port: config.PORT, host: '127.0.0.1' });
  }

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const port = await findFreePort();
    config = testConfig({ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` });
    await start();
    tokens = createTestTokens(database, { config });
    await createClient(database, systemClock, {
      clientId: 'fleet',
      name: 'Fleet',
      secret: 'a secret of the fleet that is long enough',
      isPublic: false,
      redirectUris: [],
      scopes: ['device:connect', 'devices:read'],
      grantTypes: ['urn:ietf:params:oauth:grant-type:token-exchange'],
      isFirstParty: true,
    });
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });

  const plainClient = (token: string) =>
    createEdgeClient({ baseUrl: config.BASE_URL, tokens: fixedToken(token) });

  /** A device with a key of its own, whose token is bound to that key. */
  async function newKeyedDevice(accessToken: string, offset_ms = 0) {
    const clock = createServerClock();
    const key = await createDpopKey({ ...clock, now_ms: () => clock.now_ms() + offset_ms });
    const oauth: OAuthOptions = {
      baseUrl: config.BASE_URL,
      clientId: 'fleet',
      clientSecret: 'a secret of the fleet that is long enough',
      key,
      clock,
    };
    const set = await exchangeToken(oauth, accessToken);
    expect(set.tokenType).toBe('DPoP');
    const client = createEdgeClient({
      baseUrl: config.BASE_URL,
      tokens: fixedToken(set.accessToken, 'DPoP'),
      key,
      clock,
    });
    return { client, key, set, nodeId: key.thumbprint };
  }

  /** The internal exchange, by an application that holds no key. */
  async function exchangeFor(
    accessToken: string,
    more: { node_id?: string } = {},
  ): Promise<string> {
    const body = {
      access_token: accessToken,
      client_id: 'fleet',
      client_secret: 'a secret of the fleet that is long enough',
      ...more,
    };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${config.BASE_URL}/oauth2/authorize`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { device_token: string }).device_token;
  }

  /** Runs a connection and lets tests wait for its states. */
  function follow(connection: (onState: (state: DeviceState) => void) => Promise<DeviceState>) {
    const states: DeviceState[] = [];
    const waiting: { status: string; resolve: () => void }[] = [];
    const ended = connection((state) => {
      states.push(state);
      for (const waiter of waiting.splice(0))
        if (waiter.status === state.status) waiter.resolve();
        else waiting.push(waiter);
    });
    return {
      states,
      ended,
      until: (status: string) => new Promise<void>((resolve) => waiting.push({ status, resolve })),
    };
  }

  test('a key-bound device registers, survives a restart, obeys a disconnect', async () => {
    const userId = await insertUser(database);
    const { accessToken } = await tokens.login(userId);
    const person = plainClient(accessToken);
    const { client, nodeId } = await newKeyedDevice(accessToken);
    await unwrap(
      client.api.PUT('/me/devices/{node_id}', {
        params: { path: { node_id: nodeId } },
        body: FORM,
      }),
    );
    const device = follow((onState) => createDeviceConnection({ client, nodeId, onState }).run());
    await device.until('online');
    const { devices } = await unwrap(person.api.GET('/me/devices'));
    expect(devices).toMatchObject([{ node_id: nodeId, status: 'online', traffic_gb: '0' }]);

    const back = device.until('waiting');
    await app.stop();
    await back;
    const online = device.until('online');
    await start();
    await online;

    const cut = unwrap(
      person.api.POST('/me/devices/{node_id}/disconnect', {
        params: { path: { node_id: nodeId } },
      }),
    );
    expect(await device.ended).toEqual({
      status: 'ended',
      code: 'device_disconnected',
      reason: 'disconnected by you',
    });
    expect(await cut).toMatchObject({ status: 'disconnected' });

    const refused = client.api.POST('/me/devices/{node_id}/heartbeat', {
      params: { path: { node_id: nodeId } },
    });
    await expect(refused).rejects.toMatchObject({
      status: 401,
      code: 'token_revoked',
      problem: { reason: 'device_disconnected_by_owner' },
    });
  });

  test('a copied token is worthless without its key, and a key is one device', async () => {
    const userId = await insertUser(database);
    const { accessToken } = await tokens.login(userId);
    const { client, set, nodeId } = await newKeyedDevice(accessToken);
    const path = { params: { path: { node_id: nodeId } } };
    const first = await unwrap(client.api.PUT('/me/devices/{node_id}', { ...path, body: FORM }));
    await expect(
      plainClient(set.accessToken).api.PUT('/me/devices/{node_id}', { ...path, body: FORM }),
    ).rejects.toMatchObject({ status: 401 });
    // However many devices send heartbeats over HTTP, no heartbeat causes a write of its own.
    const countProofs = async () => (await database.query('select 1 from dpop_proof')).rowCount;
    const written = await countProofs();
    await unwrap(client.api.POST('/me/devices/{node_id}/heartbeat', path));
    expect(await countProofs()).toBe(written);
    const thief = createEdgeClient({
      baseUrl: config.BASE_URL,
      tokens: fixedToken(set.accessToken, 'DPoP'),
      key: await createDpopKey(),
    });
    await expect(thief.api.POST('/me/devices/{node_id}/heartbeat', path)).rejects.toMatchObject({
      status: 401,
      code: 'invalid_token',
    });
    await expect(
      client.api.PUT('/me/devices/{node_id}', {
        params: { path: { node_id: 'another-name' } },
        body: FORM,
      }),
    ).rejects.toMatchObject({ status: 403 });
    expect(
      (await unwrap(client.api.PUT('/me/devices/{node_id}', { ...path, body: FORM }))).created_at,
    ).toBe(first.created_at);
  });

  test('a device whose clock is an hour wrong learns the time and works', async () => {
    const userId = await insertUser(database);
    const { accessToken } = await tokens.login(userId);
    const { client, nodeId } = await newKeyedDevice(accessToken);
    const realNow = Date.now;
    Date.now = () => realNow() + 3_600_000;
    try {
      const device = await unwrap(
        client.api.PUT('/me/devices/{node_id}', {
          params: { path: { node_id: nodeId } },
          body: FORM,
        }),
      );
      expect(device.node_id).toBe(nodeId);
    } finally {
      Date.now = realNow;
    }
  });

  test('after a disconnect only a fresh sign-in restores the device and its history', async () => {
    const userId = await insertUser(database);
    const first = await tokens.login(userId);
    const spare = await tokens.login(userId);
    const path = { params: { path: { node_id: `${engine}-fresh` } } };
    const put = (token: string) =>
      unwrap(plainClient(token).api.PUT('/me/devices/{node_id}', { ...path, body: FORM }));
    const { created_at } = await put(first.deviceToken);
    await unwrap(plainClient(first.accessToken).api.POST('/me/devices/{node_id}/delete', path));
    await expect(put(first.deviceToken)).rejects.toMatchObject({
      status: 401,
      code: 'token_revoked',
    });
    await expect(put(spare.deviceToken)).rejects.toMatchObject({
      status: 403,
      code: 'token_not_fresh',
    });
    await expect(put(await exchangeFor(spare.accessToken))).rejects.toMatchObject({
      status: 403,
      code: 'token_not_fresh',
    });
    const fresh = await tokens.login(userId);
    expect(await put(await exchangeFor(fresh.accessToken))).toMatchObject({
      created_at,
      status: 'offline',
    });
    expect(await put(fresh.deviceToken)).toMatchObject({ created_at, status: 'offline' });
    expect(
      (await unwrap(plainClient(first.accessToken).api.GET('/me/devices'))).devices,
    ).toHaveLength(1);
  });

  test.each(['disconnect', 'delete'] as const)(
    'a %s ends what was issued for the node and never registered it, and nothing of the next owner',
    async (cut) => {
      const [userId, next] = [await insertUser(database), await insertUser(database)];
      const first = await tokens.login(userId);
      const nodeId = `${engine}-issued-${cut}`;
      const path = { params: { path: { node_id: nodeId } } };
      await unwrap(
        plainClient(first.deviceToken).api.PUT('/me/devices/{node_id}', { ...path, body: FORM }),
      );
      const issuedTo = (accessToken: string) => exchangeFor(accessToken, { node_id: nodeId });
      const [issued, ofNext] = [
        await issuedTo(first.accessToken),
        await issuedTo((await tokens.login(next)).accessToken),
      ];
      const read = (token: string) =>
        unwrap(plainClient(token).api.GET('/me/devices/{node_id}', path));
      expect(await read(issued)).toMatchObject({ node_id: nodeId });
      await unwrap(plainClient(first.accessToken).api.POST(`/me/devices/{node_id}/${cut}`, path));
      const reason = `device_${cut === 'delete' ? 'deleted' : 'disconnected'}_by_owner`;
      await expect(read(issued)).rejects.toMatchObject({
        status: 401,
        code: 'token_revoked',
        problem: { reason },
      });
      const register = unwrap(
        plainClient(ofNext).api.PUT('/me/devices/{node_id}', { ...path, body: FORM }),
      );
      if (cut === 'delete') expect(await register).toMatchObject({ node_id: nodeId });
      else await expect(register).rejects.toMatchObject({ code: 'node_taken' });
    },
  );

  test('a bound token reaches its own device only', async () => {
    const userId = await insertUser(database);
    const { deviceToken } = await tokens.login(userId);
    const client = plainClient(deviceToken);
    const path = { params: { path: { node_id: `${engine}-own` } } };
    await unwrap(client.api.GET('/me/devices'));
    await unwrap(client.api.PUT('/me/devices/{node_id}', { ...path, body: FORM }));
    await unwrap(client.api.POST('/me/devices/{node_id}/heartbeat', path));
    await expect(client.api.GET('/me/devices')).rejects.toMatchObject({
      status: 403,
      code: 'insufficient_scope',
    });
    const other = { params: { path: { node_id: `${engine}-other` } } };
    await expect(client.api.POST('/me/devices/{node_id}/heartbeat', other)).rejects.toMatchObject({
      status: 403,
    });
    await expect(
      client.api.PUT('/me/devices/{node_id}', { ...other, body: FORM }),
    ).rejects.toBeInstanceOf(EdgeError);
  });

  test('the account receives events about it', async () => {
    const userId = await insertUser(database);
    const { accessToken, deviceToken } = await tokens.login(userId);
    const stop = new AbortController();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of streamEvents(plainClient(accessToken), { signal: stop.signal })) {
        seen.push(event.type);
        if (event.type === 'ready') {
          const path = { params: { path: { node_id: `${engine}-events` } } };
          await unwrap(
            plainClient(deviceToken).api.PUT('/me/devices/{node_id}', { ...path, body: FORM }),
          );
          await unwrap(plainClient(accessToken).api.POST('/me/devices/{node_id}/disconnect', path));
        }
        if (event.type === 'device.disconnected') stop.abort();
      }
    })();
    await reading;
    expect(seen).toEqual(['ready', 'device.registered', 'device.disconnected']);
  });

  test('tokens are refreshed once for many calls', async () => {
    const userId = await insertUser(database);
    const { accessToken } = await tokens.login(userId);
    const calls: string[] = [];
    let stored: TokenSet = {
      accessToken: 'expired',
      tokenType: 'Bearer',
      refreshToken: 'r1',
      scope: '',
      expiresAt_ms: 0,
    };
    const answer = () =>
      Response.json({
        access_token: accessToken,
        token_type: 'Bearer',
        refresh_token: 'r2',
        expires_in: 3600,
      });
    const fakeFetch = (async (_url, init) => {
      calls.push(new URLSearchParams(String(init?.body)).get('refresh_token') ?? 'none');
      return answer();
    }) as typeof fetch;
    const source = createTokenSource(
      { baseUrl: config.BASE_URL, clientId: 'x', clock: createServerClock(), fetch: fakeFetch },
      {
        load: async () => stored,
        async save(next) {
          stored = next;
        },
      },
    );
    const client = createEdgeClient({ baseUrl: config.BASE_URL, tokens: source });
    await Promise.all([1, 2, 3].map(() => unwrap(client.api.GET('/me/devices'))));
    expect(calls).toEqual(['r1']);
    expect(stored).toMatchObject({ accessToken, refreshToken: 'r2' });
  });
});
