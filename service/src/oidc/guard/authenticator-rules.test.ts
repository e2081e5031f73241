/** Rules of the guard, each by itself: without a database. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testMasterKey } from '../../../test/support/test-config.ts';
import type { PresentedToken, Principal } from '../../http/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { Failure, failure } from '../../lib/failures.ts';
import { createApplicationIdentity } from '../tokens/application-identity.ts';
import { type AuthenticatorOptions, createAuthenticator } from './authenticator.ts';
import { isBindingUnknown, withBoundNode } from './bound-node.ts';

const ISSUER = 'https://account.example.com';
const NOW = new Date('2026-01-01T00:00:00Z');
const NOW_S = NOW.getTime() / 1000;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const holder = generateKeyPairSync('ec', { namedCurve: 'P-256' });
let jkt: string;
beforeAll(async () => {
  jkt = await calculateJwkThumbprint(await exportJWK(holder.publicKey));
});

async function sign(changes: JWTPayload = {}): Promise<string> {
  return new SignJWT({
    ...{ iss: ISSUER, aud: ISSUER, sub: '7', sid: 'session', iat: NOW_S, exp: NOW_S + 3600 },
    ...{ jti: 'token', client_id: 'console', token_use: 'business', auth_time: NOW_S },
    ...changes,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'k' })
    .sign(privateKey);
}

async function prove(token: string, jti: string): Promise<string> {
  const ath = createHash('sha256').update(token).digest('base64url');
  return new SignJWT({ iat: NOW_S, jti, htm: 'GET', htu: `${ISSUER}/me`, ath })
    .setProtectedHeader({
      ...{ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(holder.publicKey) },
    })
    .sign(holder.privateKey);
}

/** What the guard asks of the rest of the service, and how often. */
interface World {
  revoked: string | undefined;
  /** Set: memory is too old, and the database is asked. */
  asked: (() => Promise<string | undefined>) | undefined;
  version: number | undefined;
  node: string | undefined;
  checks: number;
  lookups: number;
  keySets: number;
  recorded: string[];
  changeKeys: () => void;
}

let world: World;
let clock: ReturnType<typeof createManualClock>;
let authenticate: (token: string, more?: Partial<PresentedToken>) => Promise<Principal>;

beforeEach(() => {
  clock = createManualClock(NOW);
  world = {
    ...{ revoked: undefined, asked: undefined, version: 1, node: undefined },
    ...{ checks: 0, lookups: 0, keySets: 0, recorded: [], changeKeys: () => {} },
  };
  let keySet = { verifying: new Map([['k', publicKey]]) };
  const options = {
    keys: {
      current: async () => {
        world.keySets += 1;
        return keySet;
      },
      peek: () => keySet,
      onChange: (handler: () => void) => {
        world.changeKeys = () => {
          keySet = { verifying: new Map([['k', publicKey]]) };
          handler();
        };
      },
    },
    state: {
      check: () => {
        world.checks += 1;
        return world.asked?.() ?? world.revoked;
      },
      known: () => world.revoked,
      version: () => world.version,
    },
    clock,
    baseUrl: ISSUER,
    recordJti: async (jti: string) => {
      const isNew = !world.recorded.includes(jti);
      world.recorded.push(jti);
      return isNew;
    },
    applications: createApplicationIdentity(testMasterKey),
    findBoundNode: async () => {
      world.lookups += 1;
      return world.node;
    },
  };
  const authenticator = createAuthenticator(options as unknown as AuthenticatorOptions);
  authenticate = async (token, more = {}) =>
    authenticator.authenticate({ scheme: 'Bearer', token, method: 'GET', url: '/me', ...more });
});

/** What a refusal says. */
async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw error ?? new Error('it was accepted');
  return `${error.code}: ${error.details.detail ?? ''}`;
}

describe('memory of a token', () => {
  test('it is verified once, and its state checked once for each version', async () => {
    const token = await sign();
    for (let i = 0; i < 3; i++) await authenticate(token);
    expect(world).toMatchObject({ keySets: 1, checks: 1 });
    world.version = 2;
    for (let i = 0; i < 3; i++) await authenticate(token);
    expect(world).toMatchObject({ keySets: 1, checks: 2 });
  });

  test('without a version each request is checked', async () => {
    const token = await sign();
    world.version = undefined;
    for (let i = 0; i < 3; i++) await authenticate(token);
    expect(world.checks).toBe(3);
  });

  test('a change of the keys has it verified again', async () => {
    const token = await sign();
    await authenticate(token);
    world.changeKeys();
    await authenticate(token);
    expect(world.keySets).toBe(2);
  });

  test('keys that change during the verification are not remembered with it', async () => {
    const token = await sign();
    const first = authenticate(token);
    world.changeKeys();
    await first;
    await authenticate(token);
    expect(world.keySets).toBe(2);
  });

  test('a revocation is found with the next version, and each time after it', async () => {
    const token = await sign();
    await authenticate(token);
    Object.assign(world, { revoked: 'signed_out', version: 2 });
    for (let i = 0; i < 2; i++)
      expect(await refusalOf(authenticate(token))).toMatch(/^token_revoked: The sign-in is over/);
  });

  test('an expired token is refused at its second, and forgotten', async () => {
    const token = await sign();
    clock.advance(3_599_999);
    await authenticate(token);
    clock.advance(1);
    expect(await refusalOf(authenticate(token))).toBe('invalid_token: The token has expired.');
    // It is verified anew, which refuses it, too.
    expect(await refusalOf(authenticate(token))).toMatch(/^invalid_token/);
    expect(world.keySets).toBe(2);
  });
});

describe('the scheme', () => {
  test('a bound token needs a proof of its key, each once', async () => {
    const token = await sign({ cnf: { jkt } } as JWTPayload);
    expect(await refusalOf(authenticate(token))).toBe(
      'invalid_token: The token is bound to a key: present it as DPoP with its proof.',
    );
    const proof = await prove(token, 'one');
    expect(await authenticate(token, { scheme: 'DPoP', proof })).toMatchObject({ jkt });
    expect(world.recorded).toEqual([`${jkt} one`]);
    expect(await refusalOf(authenticate(token, { scheme: 'DPoP', proof }))).toMatch(
      /^invalid_token/,
    );
    expect(await refusalOf(authenticate(token, { scheme: 'DPoP' }))).toMatch(/^invalid_token/);
  });

  test('a bound token is checked on each request, and refused when revoked', async () => {
    const token = await sign({ cnf: { jkt } } as JWTPayload);
    for (const jti of ['one', 'two'])
      await authenticate(token, { scheme: 'DPoP', proof: await prove(token, jti) });
    expect(world.checks).toBe(2);
    world.revoked = 'signed_out';
    const proof = await prove(token, 'three');
    expect(await refusalOf(authenticate(token, { scheme: 'DPoP', proof }))).toMatch(
      /^token_revoked/,
    );
  });

  test('a token that is not bound is no DPoP token', async () => {
    const token = await sign();
    const proof = await prove(token, 'one');
    expect(await refusalOf(authenticate(token, { scheme: 'DPoP', proof }))).toBe(
      'invalid_token: The token is not bound to a key: present it as Bearer.',
    );
    expect(world.recorded).toEqual([]);
  });
});

describe('operator scopes', () => {
  const scope = 'openid operator:users';
  const scopesOf = async (token: string) => [...(await authenticate(token)).scopes];

  test('end 15 minutes after the sign-in, the other scopes stay', async () => {
    const token = await sign({ scope });
    clock.advance(899_999);
    expect(await scopesOf(token)).toEqual(['openid', 'operator:users']);
    clock.advance(1);
    expect(await scopesOf(token)).toEqual(['openid']);
    expect(await scopesOf(token)).toEqual(['openid']);
  });

  test('are checked on each request while they last', async () => {
    const token = await sign({ scope });
    for (let i = 0; i < 3; i++) await authenticate(token);
    expect(world.checks).toBe(3);
    clock.advance(900_000);
    for (let i = 0; i < 3; i++) await authenticate(token);
    expect(world.checks).toBe(4);
  });

  test('of a sign-in of unknown time are gone', async () => {
    expect(await scopesOf(await sign({ scope, auth_time: undefined }))).toEqual(['openid']);
  });

  test('of a client of an operator do not end', async () => {
    const token = await sign({ scope, token_use: 'operator', sub: 'client', sid: undefined });
    clock.advance(900_000);
    expect(await scopesOf(token)).toEqual(['openid', 'operator:users']);
    await authenticate(token);
    expect(world.checks).toBe(1);
  });

  test('an old token without them is as it is', async () => {
    const token = await sign({ scope: 'openid account:read' });
    clock.advance(900_000);
    expect(await scopesOf(token)).toEqual(['openid', 'account:read']);
  });
});

describe('an old memory', () => {
  const unavailable = () => Promise.reject(failure('unavailable'));

  test('the database is asked, and its answer counts', async () => {
    const token = await sign();
    world.asked = async () => undefined;
    expect(await authenticate(token)).toMatchObject({ userId: 7 });
    Object.assign(world, { asked: async () => 'signed_out', version: 2 });
    expect(await refusalOf(authenticate(token))).toMatch(/^token_revoked/);
  });

  test('without an answer the request is refused', async () => {
    world.asked = unavailable;
    expect(await refusalOf(authenticate(await sign()))).toMatch(/^unavailable/);
  });

  test('some routes then take what memory knows', async () => {
    const token = await sign();
    world.asked = unavailable;
    expect(await authenticate(token, { answersInOutage: true })).toMatchObject({ userId: 7 });
    Object.assign(world, { revoked: 'signed_out', version: 2 });
    expect(await refusalOf(authenticate(token, { answersInOutage: true }))).toMatch(
      /^token_revoked/,
    );
  });

  test.each<[string, Error]>([
    ['another failure', failure('rate_limited')],
    ['a defect', new TypeError('a defect')],
  ])('%s is no outage', async (_, error) => {
    world.asked = () => Promise.reject(error);
    const token = await sign();
    await expect(authenticate(token, { answersInOutage: true })).rejects.toBe(error);
  });
});

describe('the device of a token', () => {
  const device = { token_use: 'device', scope: 'device:connect' };

  test('is looked up on each request until it is known', async () => {
    const token = await sign(device);
    for (let i = 0; i < 2; i++) expect((await authenticate(token)).nodeId).toBeUndefined();
    expect(world.lookups).toBe(2);
    world.node = 'node';
    for (let i = 0; i < 2; i++) expect((await authenticate(token)).nodeId).toBe('node');
    expect(world.lookups).toBe(3);
  });

  test.each<[string, JWTPayload]>([
    ['a token that names it', { ...device, node_id: 'other' }],
    ['a token that registers no device', { ...device, scope: 'account:read' }],
    ['a token of another kind', { ...device, token_use: 'business' }],
  ])('is not looked up for %s', async (_, claims) => {
    world.node = 'node';
    const { nodeId } = await authenticate(await sign(claims));
    expect(nodeId).toBe(claims.node_id);
    expect(world.lookups).toBe(0);
  });

  test('a revoked token is refused whatever its device', async () => {
    Object.assign(world, { node: 'node', revoked: 'signed_out' });
    expect(await refusalOf(authenticate(await sign(device)))).toMatch(/^token_revoked/);
  });

  test('a principal whose device is known is returned as it is', async () => {
    const principal = await authenticate(await sign({ ...device, node_id: 'node' }));
    expect(isBindingUnknown(principal)).toBe(false);
    expect(await withBoundNode(principal, async () => 'other')).toBe(principal);
    const unknown = await authenticate(await sign(device));
    expect(await withBoundNode(unknown, async () => undefined)).toBe(unknown);
    expect(await withBoundNode(unknown, async () => 'node')).toEqual({
      ...unknown,
      nodeId: 'node',
    });
  });
});
