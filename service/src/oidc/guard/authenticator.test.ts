import { createHash, createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import { testConfig, testMasterKey } from '../../../test/support/test-config.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { createTestTokens } from '../../../test/support/tokens.ts';
import { createApp } from '../../app.ts';
import { type Database, transaction } from '../../db/index.ts';
import { getCaller } from '../../http/index.ts';
import { endSession } from '../../identity/index.ts';
import { refuseClockAhead } from '../../jobs/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { keyPolicyOf } from '../create-oidc.ts';
import { dropKey, rotateKeys } from '../keys/index.ts';

const config = testConfig();
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function parts(token: string): [string, string, string] {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [header, payload, signature];
}

const decode = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

describe.each(RUN_ENGINES)('the guard on %s', (engine) => {
  const clock = createManualClock(new Date());
  let database: Database;
  let app: Awaited<ReturnType<typeof createApp>>;
  /** A second instance on the same database. */
  let other: Awaited<ReturnType<typeof createApp>>;
  let userId: number;
  let tokens: ReturnType<typeof createTestTokens>;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    [app, other] = (await Promise.all(
      [1, 2].map(() => createApp({ config, database, masterKey: testMasterKey, clock })),
    )) as [typeof app, typeof app];
    for (const node of [app, other]) addProbes(node);
    await app.start();
    await other.start();
    userId = await insertUser(database);
    tokens = createTestTokens(database, { config, clock });
  });
  afterAll(async () => {
    await app.stop();
    await other.stop();
    await database.close();
  });

  function addProbes({ http }: typeof app): void {
    http.get('/probe', { config: { access: { scopes: ['account:read'] } } }, async (request) => {
      const { userId: id, nodeId, tokenUse } = getCaller(request);
      return { id, nodeId, tokenUse };
    });
    http.get(
      '/probe/:node_id',
      { config: { access: { scopes: ['account:read'], isNodeRoute: true } } },
      async () => ({}),
    );
    http.get(
      '/probe-fleeting',
      { config: { access: { scopes: ['account:read'], isFleeting: true } } },
      async () => ({}),
    );
    http.get(
      '/probe-operator',
      { config: { access: { scopes: ['operator:users'], tokens: ['business', 'operator'] } } },
      async () => ({}),
    );
  }

  const call = async (token: string, headers: Record<string, string> = {}, url = '/probe') =>
    app.http.inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } });
  const codeOf = async (token: string) => (await call(token)).json<{ code?: string }>().code;

  test('accepts both tokens of a login', async () => {
    const { accessToken, deviceToken } = await tokens.login(userId);
    expect((await call(accessToken)).json()).toEqual({ id: userId, tokenUse: 'business' });
    expect((await call(deviceToken)).json()).toEqual({ id: userId, tokenUse: 'device' });
    const [business, device] = [decode(parts(accessToken)[1]), decode(parts(deviceToken)[1])];
    expect(business).toMatchObject({
      iss: config.BASE_URL,
      aud: config.BASE_URL,
      sub: String(userId),
      token_use: 'business',
    });
    expect({ sid: device.sid, exp: device.exp }).toEqual({ sid: business.sid, exp: business.exp });
    expect(decode(parts(accessToken)[0])).toMatchObject({ alg: 'RS256', typ: 'at+jwt' });
  });

  test('checklist 7: attack: alg none, HS256 with public key, kid, jwk, jku, x5u', async () => {
    const { accessToken } = await tokens.login(userId);
    const [header, payload, signature] = parts(accessToken);
    const jwks = (await app.http.inject('/.well-known/jwks.json')).json<{
      keys: { n: string; kid: string }[];
    }>();
    const known = decode(header);
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = await exportJWK(publicKey);
    const forge = (extra: Record<string, unknown>) =>
      new SignJWT(decode(payload))
        .setProtectedHeader({ ...known, alg: 'RS256', ...extra })
        .sign(privateKey);
    const hmacInput = `${encode({ ...known, alg: 'HS256' })}.${payload}`;
    const attacks = [
      `${encode({ ...known, alg: 'none' })}.${payload}.`,
      `${encode({ ...known, alg: 'none' })}.${payload}.${signature}`,
      `${hmacInput}.${createHmac('sha256', jwks.keys[0]?.n ?? '')
        .update(hmacInput)
        .digest('base64url')}`,
      await forge({}),
      await forge({ kid: 'unknown' }),
      await forge({ jwk }),
      await forge({ kid: undefined, jwk }),
      await forge({ jku: 'https://attacker.test/jwks.json' }),
      await forge({ x5u: 'https://attacker.test/cert.pem' }),
      await forge({ kid: '../../../dev/null' }),
      [header, encode({ ...decode(payload), sub: '1', scope: 'operator:ledger' }), signature].join(
        '.',
      ),
    ];
    for (const attack of attacks) expect(await codeOf(attack)).toBe('invalid_token');
    expect(await codeOf(accessToken)).toBeUndefined();
  });

  test('checklist 7: attack: a token of another issuer, audience or type, our key', async () => {
    const { signing } = await app.oidc.keys.current();
    const [, payload] = parts((await tokens.login(userId)).accessToken);
    const sign = (
      claims: Record<string, unknown>,
      typ = 'at+jwt',
      extra: Record<string, unknown> = {},
    ) =>
      new SignJWT({ ...decode(payload), ...claims })
        .setProtectedHeader({ alg: 'RS256', typ, kid: signing.kid, ...extra })
        .sign(signing.privateKey);
    expect(await codeOf(await sign({}))).toBeUndefined();
    expect(await codeOf(await sign({ iss: 'https://mixed-up.test' }))).toBe('invalid_token');
    expect(await codeOf(await sign({ iss: `${config.BASE_URL}/` }))).toBe('invalid_token');
    expect(await codeOf(await sign({ aud: 'some-client' }))).toBe('invalid_token');
    expect(await codeOf(await sign({ token_use: 'id' }))).toBe('invalid_token');
    expect(await codeOf(await sign({ cnf: { 'x5t#S256': 'abc' } }))).toBe('invalid_token');
    expect(await codeOf(await sign({}, 'JWT'))).toBe('invalid_token');
    const criticalHeader = {
      alg: 'RS256',
      typ: 'at+jwt',
      kid: signing.kid,
      crit: ['later'],
      later: 1,
    };
    const critical = `${encode(criticalHeader)}.${payload}`;
    const criticalSignature = signBytes('sha256', Buffer.from(critical), signing.privateKey);
    const critical64 = `${critical}.${criticalSignature.toString('base64url')}`;
    expect(await codeOf(critical64)).toBe('invalid_token');
  });

  test('expiry and logout count for a token that was verified before', async () => {
    const { accessToken, sid } = await tokens.login(userId, { lifetime_s: 100 });
    const short = await tokens.login(userId, { lifetime_s: 60 });
    expect(await codeOf(accessToken)).toBeUndefined();
    expect(await codeOf(short.accessToken)).toBeUndefined();
    clock.advance(60_000);
    expect(await codeOf(short.accessToken)).toBe('invalid_token');
    await transaction(database, (tx) => endSession(tx, clock, { sid, reason: 'logout' }));
    await expect
      .poll(async () => (await call(accessToken)).json())
      .toMatchObject({ status: 401, code: 'token_revoked', reason: 'logout' });
  });

  test('attack: a node-bound token used for anything but its node', async () => {
    const asked = {
      tokenUse: 'device',
      grantId: 'grant-1',
      scope: 'account:read device:connect',
    } as const;
    const [token, earlier] = [
      await tokens.person(userId, asked),
      await tokens.person(userId, asked),
    ];
    expect((await call(token)).statusCode).toBe(200);
    expect((await call(earlier)).statusCode).toBe(200);
    const registered = await other.http.inject({
      method: 'PUT',
      url: '/me/devices/node-1',
      headers: { authorization: `Bearer ${token}` },
      payload: { device_type: 'TERMINAL' },
    });
    expect(registered.statusCode).toBe(200);
    // Immediately, also on the other instance, and also for the other token of the grant.
    expect((await call(token)).statusCode).toBe(403);
    expect((await call(earlier)).statusCode).toBe(403);
    expect((await call(token, {}, '/probe/node-1')).statusCode).toBe(200);
    expect((await call(token, {}, '/probe/node-2')).statusCode).toBe(403);
  });

  test('attack: a proof replayed where it is not stored serves once per process', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    const now = Math.floor(clock.now().getTime() / 1000);
    const cnf = { jkt: await calculateJwkThumbprint(jwk) };
    const { token } = await app.oidc.sign({
      token_use: 'device',
      sub: String(userId),
      client_id: 'c',
      scope: 'account:read',
      exp: now + 600,
      cnf,
    });
    const ath = createHash('sha256').update(token).digest('base64url');
    const claims = {
      htm: 'GET',
      htu: `${config.BASE_URL}/probe-fleeting`,
      ath,
      iat: now,
      jti: 'fleeting',
    };
    const dpop = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .sign(privateKey);
    const headers = { authorization: `DPoP ${token}`, dpop };
    const present = async (node: typeof app) =>
      (await node.http.inject({ url: '/probe-fleeting', headers })).statusCode;
    const countProofs = async () => (await database.query('select 1 from dpop_proof')).rowCount;
    const before = await countProofs();
    expect([
      await present(app),
      await present(app),
      await present(other),
      await present(other),
    ]).toEqual([200, 401, 200, 401]);
    for (const seconds of [40, 40, 400]) {
      clock.advance(seconds * 1000);
      expect([await present(app), await present(other)]).toEqual([401, 401]);
    }
    expect(await countProofs()).toBe(before);
  });

  test('attack: a key-bound token as Bearer, with no, a replayed or a foreign proof', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    const exp = Math.floor(clock.now().getTime() / 1000) + 600;
    const cnf = { jkt: await calculateJwkThumbprint(jwk) };
    const { token } = await app.oidc.sign({
      token_use: 'device',
      sub: String(userId),
      client_id: 'c',
      scope: 'account:read',
      exp,
      cnf,
    });
    const ath = createHash('sha256').update(token).digest('base64url');
    const good = {
      htm: 'GET',
      htu: `${config.BASE_URL}/probe`,
      ath,
      iat: Math.floor(clock.now().getTime() / 1000),
    };
    let count = 0;
    const prove = (claims: Record<string, unknown> = {}, typ = 'dpop+jwt') =>
      new SignJWT({ ...good, jti: `p${++count}`, ...claims })
        .setProtectedHeader({ alg: 'ES256', typ, jwk })
        .sign(privateKey);
    const answerTo = (proof?: string) =>
      call(token, { authorization: `DPoP ${token}`, ...(proof !== undefined && { dpop: proof }) });
    const present = async (proof?: string) => (await answerTo(proof)).statusCode;
    const once = await prove();
    expect(await present(once)).toBe(200);
    expect(await present(once)).toBe(401);
    const { host } = new URL(config.BASE_URL);
    const sameAddress = good.htu.replace(`http://${host}`, `HTTP://${host.toUpperCase()}`);
    expect(await present(await prove({ htu: `${sameAddress}?x#y` }))).toBe(200);
    const elsewhere = await other.http.inject({
      url: '/probe',
      headers: { authorization: `DPoP ${token}`, dpop: once },
    });
    expect(elsewhere.statusCode).toBe(401);
    expect((await call(token, { dpop: await prove() })).statusCode).toBe(401);
    expect(await present()).toBe(401);
    for (const bad of [
      { htm: 'POST' },
      { htu: 'https://other.test/probe' },
      { ath: 'x' },
      { iat: good.iat - 600 },
    ])
      expect(await present(await prove(bad))).toBe(401);
    expect(await present(await prove({}, 'JWT'))).toBe(401);
    for (const hours of [-1, 1])
      expect((await answerTo(await prove({ iat: good.iat + hours * 3600 }))).json()).toMatchObject({
        detail: 'The DPoP proof is too old or from the future: check the clock.',
      });
    expect((await answerTo('x')).json()).toMatchObject({ detail: 'The DPoP proof is not valid.' });
    const stranger = await generateKeyPair('ES256');
    const foreign = await new SignJWT({ ...good, jti: 'f' })
      .setProtectedHeader({
        alg: 'ES256',
        typ: 'dpop+jwt',
        jwk: await exportJWK(stranger.publicKey),
      })
      .sign(stranger.privateKey);
    expect(await present(foreign)).toBe(401);
    const { accessToken } = await tokens.login(userId);
    expect((await call(accessToken, { authorization: `DPoP ${accessToken}` })).statusCode).toBe(
      401,
    );
  });

  test('attack: operator scopes of a user serve for 15 minutes after the sign-in', async () => {
    const now_s = Math.floor(clock.now().getTime() / 1000);
    const person = {
      token_use: 'business',
      sub: String(userId),
      client_id: 'edge-console',
      exp: now_s + 3600,
      auth_time: now_s,
    } as const;
    const { token } = await app.oidc.sign({ ...person, scope: 'account:read operator:users' });
    const asOperator = async () => (await call(token, {}, '/probe-operator')).statusCode;
    clock.set(new Date(now_s * 1000 + 899_999));
    expect(await asOperator()).toBe(200);
    clock.set(new Date(now_s * 1000 + 900_000));
    expect(await asOperator()).toBe(403);
    expect((await call(token)).statusCode).toBe(200);
  });

  test('keys rotate without a failed verification; an emergency ends earlier tokens', async () => {
    const policy = keyPolicyOf(config);
    const { accessToken: old } = await tokens.login(userId, { lifetime_s: 200_000 });
    const kids = async () =>
      (await app.http.inject('/.well-known/jwks.json'))
        .json<{ keys: { kid: string }[] }>()
        .keys.map(({ kid }) => kid);
    const [firstKid, nextKid] = await kids();
    const at = await rotateKeys(database, clock, testMasterKey, policy);
    expect(at.getTime()).toBeGreaterThan(clock.now().getTime());
    expect(await kids()).toEqual([firstKid, nextKid]);
    clock.set(at);
    await rotateKeys(database, clock, testMasterKey, policy);
    await expect.poll(kids).toEqual([nextKid, firstKid, expect.any(String)]);
    expect(await codeOf(old)).toBeUndefined();
    const { accessToken: fresh } = await createTestTokens(database, { config, clock }).login(
      userId,
    );
    expect(decode(parts(fresh)[0]).kid).toBe(nextKid);
    expect(await codeOf(fresh)).toBeUndefined();
    await dropKey(database, clock, testMasterKey, policy);
    await expect.poll(() => codeOf(fresh)).toBe('invalid_token');
    expect(await codeOf(old)).toBe('token_revoked');
    expect(await kids()).not.toContain(nextKid);
    clock.advance(1);
    const { accessToken: later } = await createTestTokens(database, { config, clock }).login(
      userId,
    );
    expect(await codeOf(later)).toBeUndefined();
  });

  test('keys rotate by schedule: published a day before, kept for the last token', async () => {
    const kidsOf = async ({ http }: typeof app) =>
      (await http.inject('/.well-known/jwks.json'))
        .json<{ keys: { kid: string }[] }>()
        .keys.map(({ kid }) => kid);
    const { signal } = new AbortController();
    const run = async (job: string, jobs = app.oidc.jobs) =>
      jobs.find(({ name }) => name === job)?.run(signal);
    const maintain = () => run('maintain-keys');
    const countRetiring = async () => {
      const sql = "select from signing_key where state = 'retiring'";
      return (await database.query(sql)).rowCount;
    };
    const kidOf = (token: string) => decode(parts(token)[0]).kid;
    const claims = {
      token_use: 'business',
      sub: String(userId),
      client_id: 'c',
      scope: 'account:read',
    } as const;
    const expireIn = (seconds: number) => ({
      exp: Math.floor(clock.now().getTime() / 1000) + seconds,
    });
    const before = await kidsOf(app);
    const [first, second] = [before[0], before.at(-1)];
    const start_ms = clock.now().getTime();
    clock.advance((config.KEY_ROTATION_INTERVAL - 3600) * 1000);
    await maintain();
    await run('delete-retired-keys');
    await expect.poll(() => kidsOf(other)).toEqual([first, second]);
    const { token: old } = await app.oidc.sign({ ...claims, ...expireIn(config.LOGIN_TOKEN_TTL) });
    expect(kidOf(old)).toBe(first);
    clock.set(new Date(start_ms + config.KEY_ROTATION_INTERVAL * 1000));
    await Promise.all([maintain(), maintain()]);
    for (const node of [app, other]) {
      await expect.poll(() => kidsOf(node)).toEqual([second, first, expect.any(String)]);
      expect(kidOf((await node.oidc.sign({ ...claims, ...expireIn(60) })).token)).toBe(second);
      expect(
        (await node.http.inject({ url: '/probe', headers: { authorization: `Bearer ${old}` } }))
          .statusCode,
      ).toBe(200);
    }
    const until_ms = (config.LOGIN_TOKEN_TTL + 86_400) * 1000;
    clock.advance(until_ms - 1);
    await run('delete-retired-keys');
    expect(await countRetiring()).toBe(1);
    clock.advance(1);
    await maintain();
    const ahead = refuseClockAhead(app.oidc.jobs, async () => 301_000);
    await run('maintain-keys', ahead);
    await expect(run('delete-retired-keys', ahead)).rejects.toThrow('nothing is deleted');
    expect(await countRetiring()).toBe(1);
    await run('delete-retired-keys');
    for (const node of [app, other])
      await expect.poll(() => kidsOf(node)).toEqual([second, expect.any(String)]);
  });
});
