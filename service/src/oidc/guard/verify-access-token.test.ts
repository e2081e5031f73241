/** What the claims of a token must be, each broken by itself. */
import { generateKeyPairSync } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { testMasterKey } from '../../../test/support/test-config.ts';
import type { Principal } from '../../http/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { createApplicationIdentity } from '../tokens/application-identity.ts';
import { verifyAccessToken } from './verify-access-token.ts';

const ISSUER = 'https://account.example.com';
const API = 'https://api.example.com';
const NOW = new Date('2026-01-01T00:00:00Z');
const NOW_S = NOW.getTime() / 1000;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const applications = createApplicationIdentity(testMasterKey);

const CLAIMS: JWTPayload = {
  iss: ISSUER,
  aud: ISSUER,
  sub: '7',
  sid: 'session',
  iat: NOW_S,
  exp: NOW_S + 60,
  jti: 'token',
  client_id: 'console',
  token_use: 'business',
};

async function sign(changes: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
  const claims = Object.entries({ ...CLAIMS, ...changes });
  return new SignJWT(Object.fromEntries(claims.filter(([, value]) => value !== undefined)))
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'k', ...header })
    .sign(privateKey);
}

const verify = (token: string, audiences?: readonly string[]): Promise<Principal> =>
  verifyAccessToken({ verifying: new Map([['k', publicKey]]) }, token, {
    issuer: ISSUER,
    clock: createManualClock(NOW),
    applications,
    ...(audiences && { audiences }),
  });

test('a token with what is required only', async () => {
  expect(await verify(await sign({}))).toEqual({
    tokenUse: 'business',
    clientId: 'console',
    scopes: new Set(),
    jti: 'token',
    amr: [],
    issuedAt: NOW,
    expiresAt: new Date((NOW_S + 60) * 1000),
    userId: 7,
    sid: 'session',
  });
});

test('a token with everything', async () => {
  const claims = {
    scope: 'openid account:read',
    grant_id: 'grant',
    node_id: 'node',
    cnf: { jkt: 'thumbprint' },
    email: 'ada@example.test',
    groups: ['a', 1, 'b'],
    roles: ['c', null],
    amr: ['pwd', 2, 'otp'],
    auth_time: NOW_S - 5,
  };
  expect(await verify(await sign(claims as never))).toMatchObject({
    scopes: new Set(['openid', 'account:read']),
    grantId: 'grant',
    nodeId: 'node',
    jkt: 'thumbprint',
    email: 'ada@example.test',
    groups: ['a', 'b'],
    roles: ['c'],
    amr: ['pwd', 'otp'],
    authTime: new Date((NOW_S - 5) * 1000),
  });
});

test('claims of another type are as if they were absent', async () => {
  const claims = {
    ...{ scope: 1, grant_id: 1, node_id: 1, email: 1, groups: 'a', roles: 1, amr: 'pwd' },
    ...{ auth_time: 'now', sid: 1 },
  };
  const { sid: _, ...bare } = await verify(await sign({}));
  expect(await verify(await sign(claims as never))).toEqual(bare);
});

test.each<[string, Record<string, unknown>]>([
  ['another issuer', { iss: 'https://evil.test' }],
  ['another audience', { aud: 'https://evil.test' }],
  ['two audiences', { aud: [ISSUER, API] }],
  ['no subject', { sub: undefined }],
  ['a subject that is no number', { sub: 'x' }],
  ['the subject 0', { sub: '0' }],
  ['a subject beyond exact numbers', { sub: '9007199254740993' }],
  ['a subject with a fraction', { sub: '1.5' }],
  ['no id', { jti: undefined }],
  ['an id that is no text', { jti: 1 }],
  ['no time of issue', { iat: undefined }],
  ['no end', { exp: undefined }],
  ['an end in the past', { exp: NOW_S - 1 }],
  ['an end now', { exp: NOW_S }],
  ['no client', { client_id: undefined }],
  ['a client that is no text', { client_id: 1 }],
  ['no use', { token_use: undefined }],
  ['an unknown use', { token_use: 'refresh' }],
  ['the use of another audience', { token_use: 'api' }],
  ['an unknown confirmation', { cnf: { 'x5t#S256': 'x' } }],
  ['a confirmation that is no text', { cnf: { jkt: 1 } }],
  ['an empty confirmation', { cnf: {} }],
  ['a reference that is not ours', { user_ref: 'forged' }],
])('a token with %s is refused', async (_name, changes) => {
  await expect(verify(await sign(changes as JWTPayload), [])).rejects.toMatchObject({
    code: 'invalid_token',
  });
});

test.each<[string, Record<string, unknown>]>([
  ['another type', { typ: 'JWT' }],
  ['no type', { typ: undefined }],
  ['an unknown key', { kid: 'unknown' }],
  ['no key', { kid: undefined }],
  ['a key that is no text', { kid: 1 }],
])('a token whose header has %s is refused', async (_name, header) => {
  await expect(verify(await sign({}, header))).rejects.toMatchObject({ code: 'invalid_token' });
});

test.each([
  ['padding', (token: string) => `${token}=`],
  ['a line break', (token: string) => `${token}\n`],
  ['a space before it', (token: string) => ` ${token}`],
  ['a fourth part', (token: string) => `${token}.x`],
  ['two parts', (token: string) => token.split('.').slice(0, 2).join('.')],
])('a token with %s is refused', async (_name, change) => {
  await expect(verify(change(await sign({})))).rejects.toMatchObject({ code: 'invalid_token' });
});

test('the account behind a reference of an application', async () => {
  const user_ref = applications.encryptAccount({ userId: 9, sid: 'other' });
  const principal = await verify(await sign({ sub: 'pairwise', user_ref }));
  expect(principal).toMatchObject({ userId: 9, sid: 'other', subject: 'pairwise' });
});

test('a token of an API is for its audience, and has its own uses', async () => {
  const token = await sign({ aud: API, token_use: 'api' });
  await expect(verify(token)).rejects.toMatchObject({ code: 'invalid_token' });
  expect(await verify(token, [API])).toMatchObject({ audience: API, userId: 7 });
  await expect(verify(await sign({ aud: API }), [API])).rejects.toMatchObject({
    code: 'invalid_token',
  });
});

test.each([
  ['operator', ISSUER],
  ['api_client', API],
])('a token of a client itself (%s) names no account', async (token_use, aud) => {
  const principal = await verify(await sign({ aud, token_use, sub: 'client' }), [API]);
  expect(principal).not.toHaveProperty('userId');
  expect(principal).not.toHaveProperty('sid');
});
