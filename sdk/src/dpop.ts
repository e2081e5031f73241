/** DPoP keys and proofs (RFC 9449): a copied token is useless without the key. */
import {
  base64url,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';
import { createServerClock, type ServerClock } from './server-clock.ts';

const ALGORITHM = 'ES256';

export interface ProofInput {
  readonly method: string;
  readonly url: string;
  /** The access token that is sent with the proof; absent at the token endpoint. */
  readonly token?: string;
}

export interface DpopKey {
  /** RFC 7638: the node ID of a device with this key. */
  readonly thumbprint: string;
  sign(input: ProofInput): Promise<string>;
}

/** A key that can be stored as JSON. */
export interface StoredDpopKey extends DpopKey {
  /** The private key: keep it secret. */
  readonly jwk: JWK;
}

async function hashToken(token: string): Promise<string> {
  return base64url.encode(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))),
  );
}

/** Address without query and fragment. */
function targetOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

type SigningKey = Parameters<SignJWT['sign']>[0];

async function createSigner(key: SigningKey, publicJwk: JWK, clock: ServerClock): Promise<DpopKey> {
  return {
    thumbprint: await calculateJwkThumbprint(publicJwk),
    async sign({ method, url, token }) {
      const claims = {
        htm: method,
        htu: targetOf(url),
        jti: crypto.randomUUID(),
        ...(token !== undefined && { ath: await hashToken(token) }),
      };
      return new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, typ: 'dpop+jwt', jwk: publicJwk })
        .setIssuedAt(Math.floor(clock.now_ms() / 1000))
        .sign(key);
    },
  };
}

/** Imports a stored private key. */
export async function importDpopKey(
  jwk: JWK,
  clock: ServerClock = createServerClock(),
): Promise<StoredDpopKey> {
  const { d: _, key_ops: __, ext: ___, ...publicJwk } = jwk;
  return { ...(await createSigner(await importJWK(jwk, ALGORITHM), publicJwk, clock)), jwk };
}

/** Generates a key. */
export async function createDpopKey(clock?: ServerClock): Promise<StoredDpopKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return importDpopKey(await exportJWK(privateKey), clock);
}

/**
 * Uses a WebCrypto key pair (ECDSA, P-256). The private key may be non-extractable, as kept by a
 * browser in IndexedDB.
 */
export async function dpopKeyOf(
  { privateKey, publicKey }: { privateKey: SigningKey; publicKey: Parameters<typeof exportJWK>[0] },
  clock: ServerClock = createServerClock(),
): Promise<DpopKey> {
  const { key_ops: _, ext: __, ...publicJwk } = await exportJWK(publicKey);
  return createSigner(privateKey, publicJwk, clock);
}
