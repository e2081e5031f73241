/** DPoP proofs (RFC 9449), each rule broken by itself. */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { createManualClock } from '../../lib/clock.ts';
import { Failure } from '../../lib/failures.ts';
import { createProofCheck, createProofReader, type ProvenRequest } from './dpop-proof.ts';

const BASE_URL = 'https://account.example.com';
const NOW = new Date('2026-01-01T00:00:00Z');
const NOW_S = NOW.getTime() / 1000;
const TOKEN = 'a.b.c';
const ATH = createHash('sha256').update(TOKEN).digest('base64url');

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let keys: Keys;
let other: Keys;
beforeAll(async () => {
  keys = await generateKeyPair('ES256', { extractable: true });
  other = await generateKeyPair('ES256', { extractable: true });
});

const jkt = async (): Promise<string> => calculateJwkThumbprint(await exportJWK(keys.publicKey));

/** The ids that were recorded, with their ends. */
let recorded: [string, Date][] = [];
function createReader(isNew = true) {
  recorded = [];
  return createProofReader({
    clock: createManualClock(NOW),
    baseUrl: BASE_URL,
    recordJti: async (id, expiresAt) => {
      recorded.push([id, expiresAt]);
      return isNew;
    },
  });
}

interface Proof {
  readonly claims?: JWTPayload;
  readonly without?: readonly string[];
  readonly header?: Record<string, unknown>;
}

async function prove({ claims = {}, without = [], header = {} }: Proof = {}): Promise<string> {
  const payload: JWTPayload = {
    iat: NOW_S,
    jti: 'one',
    htm: 'GET',
    htu: `${BASE_URL}/me`,
    ath: ATH,
    ...claims,
  };
  const kept = Object.entries(payload).filter(([name]) => !without.includes(name));
  const jwk = await exportJWK(keys.publicKey);
  return new SignJWT(Object.fromEntries(kept))
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
    .sign(keys.privateKey);
}

const REQUEST = { method: 'GET', url: '/me', token: TOKEN };
const INVALID = 'The DPoP proof is not valid.';
const UNTIMELY = 'The DPoP proof is too old or from the future: check the clock.';
const OTHER_REQUEST = 'The DPoP proof is for another request.';
const OTHER_TOKEN = 'The DPoP proof is for another token.';

/** The detail of the refusal; undefined for a proof that is accepted. */
async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (error === undefined) return undefined;
  if (!(error instanceof Failure)) throw error;
  expect(error.code).toBe('invalid_token');
  expect(error.details.headers).toEqual({
    'www-authenticate': 'DPoP error="invalid_dpop_proof", algs="ES256 Ed25519 EdDSA"',
  });
  return error.details.detail;
}

test('a proof is accepted, and recorded for as long as it is', async () => {
  const proof = await prove();
  expect(await createReader()({ ...REQUEST, proof })).toBe(await jkt());
  expect(recorded).toEqual([[`${await jkt()} one`, new Date(NOW.getTime() + 70_000)]]);
});

test.each<[string, Proof, string | undefined]>([
  ['of 64 seconds ago', { claims: { iat: NOW_S - 64 } }, undefined],
  ['of 66 seconds ago', { claims: { iat: NOW_S - 66 } }, UNTIMELY],
  ['4 seconds ahead', { claims: { iat: NOW_S + 4 } }, undefined],
  ['6 seconds ahead', { claims: { iat: NOW_S + 6 } }, UNTIMELY],
  ['that has expired', { claims: { exp: NOW_S - 6 } }, UNTIMELY],
  ['without a time', { without: ['iat'] }, INVALID],
  ['without an id', { without: ['jti'] }, INVALID],
  ['without a method', { without: ['htm'] }, INVALID],
  ['without an address', { without: ['htu'] }, INVALID],
  ['with a time that is no number', { claims: { iat: 'now' as never } }, INVALID],
  ['with an id that is no text', { claims: { jti: 7 as never } }, INVALID],
  ['with an id of 256 characters', { claims: { jti: 'x'.repeat(256) } }, undefined],
  ['with an id of 257 characters', { claims: { jti: 'x'.repeat(257) } }, INVALID],
  ['for another method', { claims: { htm: 'POST' } }, OTHER_REQUEST],
  ['for another path', { claims: { htu: `${BASE_URL}/you` } }, OTHER_REQUEST],
  ['for another host', { claims: { htu: 'https://evil.test/me' } }, OTHER_REQUEST],
  ['for no address', { claims: { htu: 'nowhere' } }, OTHER_REQUEST],
  ['for another token', { claims: { ath: 'x' } }, OTHER_TOKEN],
  ['for no token', { without: ['ath'] }, OTHER_TOKEN],
  ['of another type', { header: { typ: 'jwt' } }, INVALID],
  ['without a type', { header: { typ: undefined } }, INVALID],
  ['without a key', { header: { jwk: undefined } }, INVALID],
])('a proof %s', async (_name, proof, expected) => {
  const read = createReader();
  expect(await refusalOf(read({ ...REQUEST, proof: await prove(proof) }))).toBe(expected);
  expect(recorded).toHaveLength(expected === undefined ? 1 : 0);
});

test('a proof signed by another key than it names, or by a shared secret', async () => {
  const read = createReader();
  const jwk = await exportJWK(other.publicKey);
  expect(await refusalOf(read({ ...REQUEST, proof: await prove({ header: { jwk } }) }))).toBe(
    INVALID,
  );
  const secret = await new SignJWT({ iat: NOW_S, jti: 'x', htm: 'GET', htu: `${BASE_URL}/me` })
    .setProtectedHeader({ alg: 'HS256', typ: 'dpop+jwt', jwk: { kty: 'oct', k: 'AAAA' } as never })
    .sign(Buffer.alloc(32));
  expect(await refusalOf(read({ ...REQUEST, proof: secret }))).toBe(INVALID);
  expect(await refusalOf(read({ ...REQUEST, proof: 'x' }))).toBe(INVALID);
});

test('addresses are compared after normalisation, without query and fragment', async () => {
  for (const htu of [
    `${BASE_URL}/me?a=1`,
    `${BASE_URL}/me#b`,
    'HTTPS://ACCOUNT.example.com:443/me',
  ])
    for (const url of ['/me', '/me?c=2']) {
      const request: ProvenRequest = { ...REQUEST, url, proof: await prove({ claims: { htu } }) };
      expect(await refusalOf(createReader()(request)), `${htu} ${url}`).toBeUndefined();
    }
});

test('a request without a token needs no hash of one', async () => {
  const proof = await prove({ without: ['ath'] });
  const { token: _, ...request } = REQUEST;
  expect(await refusalOf(createReader()({ ...request, proof }))).toBeUndefined();
});

test('a proof that was used before', async () => {
  const used = 'The DPoP proof was used before.';
  const proof = await prove();
  expect(await refusalOf(createReader(false)({ ...REQUEST, proof }))).toBe(used);
  const read = createReader(false);
  const fleeting = { ...REQUEST, proof, isFleeting: true };
  expect(await refusalOf(read(fleeting))).toBeUndefined();
  expect(await refusalOf(read(fleeting))).toBe(used);
  expect(recorded).toEqual([]);
});

test('the guard wants a proof, by the key of the token', async () => {
  const check = createProofCheck({
    clock: createManualClock(NOW),
    baseUrl: BASE_URL,
    recordJti: async () => true,
  });
  const presented = { ...REQUEST, scheme: 'DPoP' as const };
  expect(await refusalOf(check(presented, await jkt()))).toBe(
    'The token is bound to a key: send a DPoP proof.',
  );
  expect(await refusalOf(check({ ...presented, proof: await prove() }, 'another'))).toBe(
    'The DPoP proof was made with another key.',
  );
  expect(await refusalOf(check({ ...presented, proof: await prove() }, await jkt()))).toBe(
    undefined,
  );
});
