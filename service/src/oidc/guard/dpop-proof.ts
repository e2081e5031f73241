/** DPoP proofs (RFC 9449), checked by the guard and by this service's own grant types. */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, errors as joseErrors, jwtVerify } from 'jose';
import type { errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import type { PresentedToken } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { createLocalJtiStore, type RecordDpopJti } from './dpop-replay-store.ts';

/** Asymmetric only; never `none`, never a shared secret. */
export const DPOP_ALGORITHMS = ['ES256', 'Ed25519', 'EdDSA'];
const PROOF_LIFE_S = 60;
const TOLERANCE_S = 5;
/** How long after `iat` a `jti` is kept: longer than the proof is accepted. */
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

/** True for a proof whose `iat` is too old or in the future. */
function isUntimely(cause: unknown): boolean {
  return (
    cause instanceof joseErrors.JWTExpired ||
    (cause instanceof joseErrors.JWTClaimValidationFailed &&
      cause.claim === 'iat' &&
      cause.reason === 'check_failed')
  );
}

export interface ProvenRequest {
  readonly proof: string;
  readonly method: string;
  /** Path and query of the request. */
  readonly url: string;
  /** The token that `ath` must match; absent at the token endpoint. */
  readonly token?: string;
  /** Replay is detected within this process only, and nothing is stored. */
  readonly isFleeting?: boolean;
}

/** Checks a proof and returns the thumbprint of its key. */
export type ReadProof = (request: ProvenRequest) => Promise<string>;
export type CheckProof = (presented: PresentedToken, jkt: string) => Promise<void>;

export interface ProofContext {
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly recordJti: RecordDpopJti;
}

/** The normalised address without query and fragment; undefined: it is none. */
function withoutQuery(address: unknown): string | undefined {
  const url = URL.parse(String(address));
  if (!url) return undefined;
  url.search = '';
  url.hash = '';
  return url.href;
}

/** Creates the reader of proofs for requests to `baseUrl`. */
export function createProofReader({ clock, baseUrl, recordJti }: ProofContext): ReadProof {
  const recordLocally = createLocalJtiStore(clock, KEPT_S * 1000);
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
          ? 'The DPoP proof is too old or from the future: check the clock.'
          : 'The DPoP proof is not valid.',
        cause,
      );
    });
    if (!protectedHeader.jwk) throw refuse('The DPoP proof is not valid.');
    const jkt = await calculateJwkThumbprint(protectedHeader.jwk);
    const target = new URL(baseUrl + (url.split('?', 1)[0] ?? '')).href;
    // RFC 9449 4.3: compared after normalisation, without query and fragment.
    if (payload.htm !== method || withoutQuery(payload.htu) !== target)
      throw refuse('The DPoP proof is for another request.');
    const ath =
      token === undefined ? undefined : createHash('sha256').update(token).digest('base64url');
    if (ath !== undefined && payload.ath !== ath)
      throw refuse('The DPoP proof is for another token.');
    if (typeof payload.jti !== 'string' || payload.jti.length > 256)
      throw refuse('The DPoP proof is not valid.');
    const expiresAt = new Date(((payload.iat ?? 0) + KEPT_S) * 1000);
    const record = isFleeting ? recordLocally : recordJti;
    if (!(await record(`${jkt} ${payload.jti}`, expiresAt)))
      throw refuse('The DPoP proof was used before.');
    return jkt;
  };
}

/** Creates the guard's check of a key-bound token. */
export function createProofCheck(context: ProofContext): CheckProof {
  const read = createProofReader(context);
  return async ({ proof, ...presented }, jkt) => {
    if (proof === undefined) throw refuse('The token is bound to a key: send a DPoP proof.');
    if ((await read({ ...presented, proof })) !== jkt)
      throw refuse('The DPoP proof was made with another key.');
  };
}

/** The confirmation claim of a token that is requested with a proof; undefined without one. */
export function createConfirmationReader(errors: typeof Errors, context: ProofContext) {
  const read = createProofReader(context);
  return async (ctx: KoaContextWithOIDC): Promise<{ jkt: string } | undefined> => {
    const proof = ctx.get('dpop');
    if (proof === '') return undefined;
    const jkt = await read({ proof, method: ctx.method, url: ctx.originalUrl }).catch(
      (cause: unknown) => {
        throw new errors.InvalidDpopProof('the DPoP proof is not valid', { cause } as never);
      },
    );
    return { jkt };
  };
}
