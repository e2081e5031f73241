/** RPC URLs at rest, encrypted with AES-256-GCM: providers put access keys into them. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey } from '../master-key.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function encryptUrls(masterKey: MasterKey, urls: readonly string[]): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, masterKey.derive('rpc-urls'), nonce);
  const body = Buffer.concat([cipher.update(JSON.stringify(urls), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

export function decryptUrls(masterKey: MasterKey, sealed: string): string[] {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(
    ALGORITHM,
    masterKey.derive('rpc-urls'),
    bytes.subarray(0, NONCE_BYTES),
  );
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text =
    decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') +
    decipher.final('utf8');
  return JSON.parse(text) as string[];
}
