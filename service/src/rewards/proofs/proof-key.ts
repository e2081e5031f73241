/** The key that signs proofs: Ed25519, derived from the master key, the same on every instance. */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { MasterKey } from '../../master-key.ts';

/** PKCS #8 around 32 bytes of seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PURPOSE = 'reward-proofs';

export interface PublicProofKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly alg: 'EdDSA';
  readonly use: 'sig';
  readonly kid: string;
  readonly x: string;
}

export interface ProofKey {
  readonly published: PublicProofKey;
  sign(text: string): string;
}

/** RFC 7638. @param x of an Ed25519 key */
export function thumbprint(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
}

export function createProofKey(masterKey: MasterKey): ProofKey {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, masterKey.derive(PURPOSE)]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    published: { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: thumbprint(x), x },
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  };
}
