/**
 * Secrets of webhooks, and signatures by Standard Webhooks (HMAC-SHA256 over `id.timestamp.body`).
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { MasterKey } from '../../master-key.ts';

const SECRET_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'webhook-secrets';

export function newWebhookSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** As its receiver configures it. */
export function showSecret(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

/** AES-256-GCM, for the database. */
export function sealSecret(masterKey: MasterKey, secret: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', masterKey.derive(PURPOSE), iv);
  const body = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

export function openSecret(masterKey: MasterKey, sealed: Buffer): Buffer {
  const decipher = createDecipheriv(
    'aes-256-gcm',
    masterKey.derive(PURPOSE),
    sealed.subarray(0, IV_BYTES),
  );
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

/** One signature per secret, so that a receiver may switch at any time during a rotation. */
export function signMessage(
  secrets: readonly Buffer[],
  id: string,
  timestamp_s: number,
  body: string,
): string {
  const signed = `${id}.${timestamp_s}.${body}`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
    .join(' ');
}
