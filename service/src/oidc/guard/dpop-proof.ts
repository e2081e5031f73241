/** Proofs of possession (RFC 9449), checked by the guard and at the exchange. */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import type { PresentedToken } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';

/** Asymmetric only; never `none`, never a shared secret. */
export const DPOP_ALGORITHMS = ['ES256', 'Ed25519', 'EdDSA'];
const PROOF_LIFE_S = 60;
const SEEN_MAX = 100_000;

function refuse(detail: string, cause?: unknown): Error {
  return failure('invalid_token', { detail, cause, headers: { 'www-authenticate': `DPoP error="invalid_dpop_proof", algs="${DPOP_ALGORITHMS.join(' ')}"` } });
}

export interface ProvenRequest {
  readonly proof: string;
  readonly method: string;
  /** Path and query of the request. */
  readonly url: string;
  /** The token that the proof must name; absent where there is none yet. */
  readonly token?: string;
}

/** Checks a proof and gives the thumbprint of its key. */
export type ReadProof = (request: ProvenRequest) => Promise<string>;
export type CheckProof = (presented: PresentedToken, jkt: string) => Promise<void>;

/** Remembers the identifiers of the proofs of the last minutes, so that none is taken twice by this node. */
function createSeen(clock: Clock) {
  let recent = new Set<string>();
  let older = new Set<string>();
  let turnedAt_ms = 0;
  return (id: string): boolean => {
    const now_ms = clock.now().getTime();
    // Two generations, each at least as long as a proof lives: forgetting is a swap.
    if (now_ms - turnedAt_ms > 2 * PROOF_LIFE_S * 1000 || recent.size >= SEEN_MAX) {
      older = recent;
      recent = new Set();
      turnedAt_ms = now_ms;
    }
    if (recent.has(id) || older.has(id)) return false;
    recent.add(id);
    return true;
  };
}

/** Makes the reader of proofs for requests to `baseUrl`. */
export function createProofReader(clock: Clock, baseUrl: string): ReadProof {
  const isNew = createSeen(clock);
  return async ({ proof, method, url, token }) => {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      algorithms: DPOP_ALGORITHMS,
      typ: 'dpop+jwt',
      currentDate: clock.now(),
      maxTokenAge: PROOF_LIFE_S,
      clockTolerance: 5,
      requiredClaims: ['iat', 'jti', 'htm', 'htu'],
    }).catch((cause: unknown) => {
      throw refuse('The DPoP proof is not valid.', cause);
    });
    if (!protectedHeader.jwk) throw refuse('The DPoP proof is not valid.');
    const jkt = await calculateJwkThumbprint(protectedHeader.jwk);
    if (payload.htm !== method || payload.htu !== baseUrl + (url.split('?', 1)[0] ?? '')) throw refuse('The DPoP proof is for another request.');
    const ath = token === undefined ? undefined : createHash('sha256').update(token).digest('base64url');
    if (ath !== undefined && payload.ath !== ath) throw refuse('The DPoP proof is for another token.');
    if (typeof payload.jti !== 'string' || payload.jti.length > 256 || !isNew(`${jkt} ${payload.jti}`)) throw refuse('The DPoP proof was used before.');
    return jkt;
  };
}

/** Makes the guard's check of a key-bound token. */
export function createProofCheck(clock: Clock, baseUrl: string): CheckProof {
  const read = createProofReader(clock, baseUrl);
  return async ({ proof, token, method, url }, jkt) => {
    if (proof === undefined) throw refuse('The token is bound to a key: send a DPoP proof.');
    if ((await read({ proof, token, method, url })) !== jkt) throw refuse('The DPoP proof was made with another key.');
  };
}
