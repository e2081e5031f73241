/** Proofs of possession (RFC 9449), checked by the guard and by the grants that are ours. */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, errors, jwtVerify } from 'jose';
import type { PresentedToken } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { createTakeProofHere, type RecordDpopJti } from './dpop-replay-store.ts';

/** Asymmetric only; never `none`, never a shared secret. */
export const DPOP_ALGORITHMS = ['ES256', 'Ed25519', 'EdDSA'];
const PROOF_LIFE_S = 60;
const TOLERANCE_S = 5;
/** From when a proof says it was made; longer than it is taken. */
const KEPT_S = PROOF_LIFE_S + 2 * TOLERANCE_S;

function refuse(detail: string, cause?: unknown): Error {
  return failure('invalid_token', {
    detail,
    cause,
    headers: {
      'www-authenticate': `DPoP error="invalid_dpop_proof", algs="${DPOP_ALGORITHMS.join(' ')}"`,
    },
  });
}

/** True for a proof that is from another time than now. */
function isUntimely(cause: unknown): boolean {
  return (
    cause instanceof errors.JWTExpired ||
    (cause instanceof errors.JWTClaimValidationFailed &&
      cause.claim === 'iat' &&
      cause.reason === 'check_failed')
  );
}

export interface ProvenRequest {
  readonly proof: string;
  readonly method: string;
  /** Path and query of the request. */
  readonly url: string;
  /** The token that the proof must name; absent where there is none yet. */
  readonly token?: string;
  /** The proof counts once at this process, and is not written down. */
  readonly isFleeting?: boolean;
}

/** Checks a proof and gives the thumbprint of its key. */
export type ReadProof = (request: ProvenRequest) => Promise<string>;
export type CheckProof = (presented: PresentedToken, jkt: string) => Promise<void>;

export interface ProofDeps {
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly takeProof: RecordDpopJti;
}

/** Makes the reader of proofs for requests to `baseUrl`. */
export function createProofReader({ clock, baseUrl, takeProof }: ProofDeps): ReadProof {
  const takeHere = createTakeProofHere(clock, KEPT_S * 1000);
  return async ({ proof, method, url, token, isFleeting = false }) => {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      algorithms: DPOP_ALGORITHMS,
      typ: 'dpop+jwt',
      currentDate: clock.now(),
      maxTokenAge: PROOF_LIFE_S,
      clockTolerance: TOLERANCE_S,
      requiredClaims: ['iat', 'jti', 'htm', 'htu'],
    }).catch((cause: unknown) => {
      throw refuse(
        isUntimely(cause)
          ? 'The DPoP proof is not from now: is the clock right?'
          : 'The DPoP proof is not valid.',
        cause,
      );
    });
    if (!protectedHeader.jwk) throw refuse('The DPoP proof is not valid.');
    const jkt = await calculateJwkThumbprint(protectedHeader.jwk);
    if (payload.htm !== method || payload.htu !== baseUrl + (url.split('?', 1)[0] ?? ''))
      throw refuse('The DPoP proof is for another request.');
    const ath =
      token === undefined ? undefined : createHash('sha256').update(token).digest('base64url');
    if (ath !== undefined && payload.ath !== ath)
      throw refuse('The DPoP proof is for another token.');
    if (typeof payload.jti !== 'string' || payload.jti.length > 256)
      throw refuse('The DPoP proof is not valid.');
    const expiresAt = new Date(((payload.iat ?? 0) + KEPT_S) * 1000);
    const take = isFleeting ? takeHere : takeProof;
    if (!(await take(`${jkt} ${payload.jti}`, expiresAt)))
      throw refuse('The DPoP proof was used before.');
    return jkt;
  };
}

/** Makes the guard's check of a key-bound token. */
export function createProofCheck(deps: ProofDeps): CheckProof {
  const read = createProofReader(deps);
  return async ({ proof, ...presented }, jkt) => {
    if (proof === undefined) throw refuse('The token is bound to a key: send a DPoP proof.');
    if ((await read({ ...presented, proof })) !== jkt)
      throw refuse('The DPoP proof was made with another key.');
  };
}

export interface ProofOfRequest {
  readonly dpop: string;
  readonly method: string;
  readonly url: string;
}

/** What a token is bound to when it is asked for with a proof: to its key; without one, to nothing. `toError` shapes a refusal. */
export async function readConfirmation(
  read: ReadProof,
  { dpop, method, url }: ProofOfRequest,
  toError: (cause: unknown) => Error,
): Promise<{ jkt: string } | undefined> {
  if (dpop === '') return undefined;
  const jkt = await read({ proof: dpop, method, url }).catch((cause: unknown) => {
    throw toError(cause);
  });
  return { jkt };
}
