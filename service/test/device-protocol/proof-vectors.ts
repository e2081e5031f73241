/** Keys of devices and their proofs, with the verdict of the service's own verifier on each. */
import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { createManualClock } from '../../src/lib/clock.ts';
import { Failure } from '../../src/lib/failures.ts';
import { createProofReader } from '../../src/oidc/guard/dpop-proof.ts';

const BASE_URL = 'https://account.example.com';
const NOW = '2026-11-25T12:00:00.000Z';
const NOW_S = Date.parse(NOW) / 1000;
const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl';
const PATH = '/me/devices/node/heartbeat';

const encode = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');
const sha256 = (data: string): Buffer => createHash('sha256').update(data).digest();

interface Key {
  readonly secret: Uint8Array;
  readonly jwk: Readonly<Record<string, string>>;
  readonly thumbprint: string;
}

/** The key with this private number, below 256. */
function keyOf(number: number): Key {
  const secret = new Uint8Array(32);
  secret[31] = number;
  const point = p256.getPublicKey(secret, false);
  const [x, y] = [encode(point.subarray(1, 33)), encode(point.subarray(33))];
  const jwk = { crv: 'P-256', kty: 'EC', x, y };
  return { secret, jwk, thumbprint: encode(sha256(JSON.stringify(jwk))) };
}

interface Changes {
  readonly header?: object;
  readonly claims?: object;
  readonly key?: Key;
}

interface ProofCase extends Changes {
  readonly name: string;
  readonly method?: string;
  /** Path and query of the request. */
  readonly path?: string;
  /** The access token beside the proof; null at the token endpoint. */
  readonly token?: string | null;
}

const [OWN, OTHER] = [keyOf(7), keyOf(8)];

const CASES: readonly ProofCase[] = [
  { name: 'a heartbeat' },
  { name: 'the token endpoint, without an access token', path: '/oauth2/token', token: null },
  {
    name: 'htu without the query of the request',
    method: 'GET',
    path: '/me/devices?status=online',
  },
  {
    name: 'the live connection: GET, and the scheme of HTTP',
    method: 'GET',
    path: '/me/devices/connect',
  },
  { name: 'issued 64 s ago', claims: { iat: NOW_S - 64 } },
  { name: 'issued 5 s ahead of the service', claims: { iat: NOW_S + 5 } },
  { name: 'another key: the proof is valid, but a bound token is refused', key: OTHER },
  { name: 'issued 66 s ago', claims: { iat: NOW_S - 66 } },
  { name: 'issued 6 s ahead of the service', claims: { iat: NOW_S + 6 } },
  { name: 'for another method', claims: { htm: 'GET' } },
  { name: 'for another path', claims: { htu: `${BASE_URL}/me/devices` } },
  { name: 'for the scheme of WebSocket', claims: { htu: 'wss://account.example.com/me/devices' } },
  { name: 'for another access token', claims: { ath: encode(sha256('another')) } },
  { name: 'without jti', claims: { jti: undefined } },
  { name: 'a jti of 257 characters', claims: { jti: 'j'.repeat(257) } },
  { name: 'another type', header: { typ: 'JWT' } },
  { name: 'no algorithm', header: { alg: 'none' } },
  { name: 'the private key inside', header: { jwk: { ...OWN.jwk, d: encode(OWN.secret) } } },
  { name: 'signed by another key', header: { jwk: OTHER.jwk } },
  { name: 'the first proof again' },
];

function makeProof(
  { method = 'POST', path = PATH, token = TOKEN, header, claims, key = OWN }: ProofCase,
  jti: string,
) {
  const fullHeader = { alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk, ...header };
  const fullClaims = {
    htm: method,
    htu: `${BASE_URL}${path.split('?')[0]}`,
    jti,
    ...(token !== null && { ath: encode(sha256(token)) }),
    iat: NOW_S,
    ...claims,
  };
  const signed = [fullHeader, fullClaims].map((part) => encode(JSON.stringify(part))).join('.');
  const signature = p256.sign(Buffer.from(signed), key.secret, { lowS: false });
  return { header: fullHeader, claims: fullClaims, proof: `${signed}.${encode(signature)}` };
}

async function render(test: ProofCase, i: number, read: ReturnType<typeof createProofReader>) {
  const { name, method = 'POST', path = PATH, token = TOKEN } = test;
  const isRepeated = i === CASES.length - 1;
  const { header, claims, proof } = makeProof(test, `proof-${isRepeated ? 0 : i}`);
  const request = { proof, method, url: path, ...(token !== null && { token }) };
  const result = await read(request).then(
    (node_id) => ({ node_id }),
    (error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      return { refused: String(error.details.detail) };
    },
  );
  return { name, method, path, token, header, claims, proof, result };
}

/** Asks the verifier of the service, in the order of the cases. */
export async function renderProofVectors() {
  const seen = new Set<string>();
  const read = createProofReader({
    clock: createManualClock(NOW),
    baseUrl: BASE_URL,
    recordJti: async (id) => seen.size !== seen.add(id).size,
  });
  const proofs = [];
  for (const [i, test] of CASES.entries()) proofs.push(await render(test, i, read));
  const keys = [OWN, OTHER].map(({ secret, jwk, thumbprint }) => ({
    private: encode(secret),
    jwk,
    node_id: thumbprint,
  }));
  return { base_url: BASE_URL, time_of_service: NOW, keys, proofs };
}
