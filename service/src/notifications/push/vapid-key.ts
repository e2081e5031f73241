/**
 * The key by which push services know this installation (VAPID, RFC 8292): derived from the master
 * key, so that it is the same on every instance and after a restore. A subscription holds only for
 * the key that it was made with.
 */
import { createPrivateKey } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { SignJWT } from 'jose';
import type { Config } from '../../config.ts';
import type { MasterKey } from '../../master-key.ts';

/** FIPS 186-5, A.2.1: 128 bits more than the order of the curve, so that no key is likelier. */
const SEED_BYTES = 48;
const SEED_PARTS = ['web-push/1', 'web-push/2'] as const;
/** RFC 8292 allows a day. */
const TOKEN_TTL_S = 43_200;
/** First byte of a point that is not compressed, and bytes of each coordinate. */
const POINT = { prefix: 1, coordinate: 32 } as const;

export interface VapidKey {
  /** The point, not compressed, base64url: `applicationServerKey` of the Push API. */
  readonly publicKey: string;
  /** The `Authorization` header for a push service. */
  authorize(endpoint: string, now: Date): Promise<string>;
}

/** Where a push service reaches the operator: the address of the service, or that of its mails. */
function contactOf({ BASE_URL, MAIL_FROM }: VapidSettings): string {
  if (BASE_URL.startsWith('https://')) return BASE_URL;
  return `mailto:${/<([^>]*)>$/.exec(MAIL_FROM)?.[1] ?? MAIL_FROM}`;
}

export type VapidSettings = Pick<Config, 'BASE_URL' | 'MAIL_FROM'>;

export function createVapidKey(
  masterKey: Pick<MasterKey, 'derive'>,
  settings: VapidSettings,
): VapidKey {
  const seed = Buffer.concat(SEED_PARTS.map((part) => masterKey.derive(part)));
  const secret = p256.utils.randomSecretKey(seed.subarray(0, SEED_BYTES));
  const point = Buffer.from(p256.getPublicKey(secret, false));
  const { prefix, coordinate } = POINT;
  const key = createPrivateKey({
    key: {
      ...{ kty: 'EC', crv: 'P-256', d: Buffer.from(secret).toString('base64url') },
      x: point.subarray(prefix, prefix + coordinate).toString('base64url'),
      y: point.subarray(prefix + coordinate).toString('base64url'),
    },
    format: 'jwk',
  });
  const publicKey = point.toString('base64url');
  const contact = contactOf(settings);
  return {
    publicKey,
    async authorize(endpoint, now) {
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .setAudience(new URL(endpoint).origin)
        .setSubject(contact)
        .setExpirationTime(Math.floor(now.getTime() / 1000) + TOKEN_TTL_S)
        .sign(key);
      return `vapid t=${token}, k=${publicKey}`;
    },
  };
}
