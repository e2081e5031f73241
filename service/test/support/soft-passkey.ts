/** A passkey in software: makes the assertions that a browser would make. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Db } from '../../src/db/index.ts';

const USER_PRESENT_AND_VERIFIED = 0x05;

export interface SoftPasskey {
  readonly id: string;
  /** COSE key. */
  readonly publicKey: Buffer;
  /** Signs a challenge, base64url, with an increased counter. */
  assert(
    challenge: string,
    options?: { rpId?: string; origin?: string; flags?: number; userHandle?: string },
  ): Assertion;
  /** What a browser answers when it is registered, with an attestation of the format `none`. */
  register(challenge: string): Registration;
  /** Enrols it for a user, without a registration. */
  enrol(db: Db, userId: number): Promise<void>;
}

export type Registration = ReturnType<typeof makeRegistration>;
export type Assertion = ReturnType<typeof makeAssertion>;

/** ES256 as a CBOR map: kty 2, alg -7, crv 1, x, y. */
function toCose(x: Buffer, y: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    x,
    Buffer.from('225820', 'hex'),
    y,
  ]);
}

interface Parts {
  readonly id: string;
  readonly challenge: string;
  readonly rpId: string;
  readonly origin: string;
  readonly counter: number;
  readonly flags: number;
  readonly userHandle?: string;
  sign(data: Buffer): Buffer;
}

function makeAssertion(parts: Parts) {
  const { id, challenge, rpId, origin, counter, flags, userHandle, sign } = parts;
  const client = Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }),
  );
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const data = Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([flags]),
    count,
  ]);
  const signature = sign(Buffer.concat([data, createHash('sha256').update(client).digest()]));
  return {
    id,
    rawId: id,
    type: 'public-key' as const,
    response: {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(userHandle !== undefined && { userHandle }),
    },
    clientExtensionResults: {},
  };
}

const CREDENTIAL_ADDED = 0x45;
const AAGUID = Buffer.alloc(16);

/** The credential as authenticator data has it (WebAuthn 6.5.1), in an attestation (8.7). */
function makeRegistration(site: string, id: string, challenge: string, cose: Buffer) {
  const { hostname, origin } = new URL(site);
  const credential = Buffer.from(id, 'base64url');
  const data = Buffer.concat([
    createHash('sha256').update(hostname).digest(),
    Buffer.from([CREDENTIAL_ADDED, 0, 0, 0, 0]),
    AAGUID,
    Buffer.from([0, credential.length]),
    credential,
    cose,
  ]);
  // {"fmt": "none", "attStmt": {}, "authData": bytes} in CBOR.
  const attestation = Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
    Buffer.from([data.length]),
    data,
  ]);
  const client = { type: 'webauthn.create', challenge, origin, crossOrigin: false };
  return {
    id,
    rawId: id,
    type: 'public-key' as const,
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(client)).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    },
    clientExtensionResults: {},
  };
}

/** Makes a passkey for `http://localhost:8080`, or another site. */
export function createSoftPasskey(site = 'http://localhost:8080'): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = toCose(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'));
  const id = randomBytes(16).toString('base64url');
  let counter = 0;
  return {
    id,
    publicKey: cose,
    assert: (challenge, options = {}) =>
      makeAssertion({
        id,
        challenge,
        rpId: new URL(site).hostname,
        origin: new URL(site).origin,
        counter: ++counter,
        flags: USER_PRESENT_AND_VERIFIED,
        sign: (data) => createSign('sha256').update(data).sign(privateKey),
        ...options,
      }),
    register: (challenge) => makeRegistration(site, id, challenge, cose),
    async enrol(db, userId) {
      await db.query(
        `insert into passkey (user_id, credential_id, public_key, counter, transports, is_synced,
           name, created_at) values ($1, $2, $3, 0, '{internal}', false, 'soft', now())`,
        [userId, id, cose],
      );
    },
  };
}
