/** Keys and their proofs (RFC 9449): a token bound to a key is worthless to whoever copies it. */
import {
  base64url,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose';

const ALGORITHM = 'ES256';

export interface ProofInput {
  readonly method: string;
  readonly url: string;
  /** The token that the proof goes with; absent at the token endpoint. */
  readonly token?: string;
}

export interface DpopKey {
  /** RFC 7638: the node ID of a device with this key. */
  readonly thumbprint: string;
  sign(input: ProofInput): Promise<string>;
}

/** A key that can be written down. */
export interface StoredDpopKey extends DpopKey {
  /** The private key, for safe keeping. */
  readonly jwk: JWK;
}

/** The service's clock: its offset from ours is learned from its answers, so that a wrong clock does not lock a device out. */
export interface ServerClock {
  now_ms(): number;
  learn(response: Response): void;
}

/** A `Date` header has whole seconds and is a moment old: smaller differences mean nothing. */
const OFFSET_MIN_MS = 2000;

export function createServerClock(): ServerClock {
  let offset_ms = 0;
  return {
    now_ms: () => Date.now() + offset_ms,
    learn(response) {
      const date_ms = Date.parse(response.headers.get('date') ?? '');
      if (Number.isNaN(date_ms)) return;
      const difference_ms = date_ms - Date.now();
      offset_ms = Math.abs(difference_ms) < OFFSET_MIN_MS ? 0 : difference_ms;
    },
  };
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

/** Takes a stored private key in. */
export async function importDpopKey(
  jwk: JWK,
  clock: ServerClock = createServerClock(),
): Promise<StoredDpopKey> {
  const { d: _, key_ops: __, ext: ___, ...publicJwk } = jwk;
  return { ...(await createSigner(await importJWK(jwk, ALGORITHM), publicJwk, clock)), jwk };
}

/** Makes a new key. */
export async function createDpopKey(clock?: ServerClock): Promise<StoredDpopKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  return importDpopKey(await exportJWK(privateKey), clock);
}

/** Uses a key pair of WebCrypto (ECDSA, P-256), whose private half need not be extractable: a browser keeps it in IndexedDB. */
export async function dpopKeyOf(
  { privateKey, publicKey }: { privateKey: SigningKey; publicKey: Parameters<typeof exportJWK>[0] },
  clock: ServerClock = createServerClock(),
): Promise<DpopKey> {
  const { key_ops: _, ext: __, ...publicJwk } = await exportJWK(publicKey);
  return createSigner(privateKey, publicJwk, clock);
}
