/**
 * Identifiers of tokens carry the millisecond of issue, because `iat` counts whole seconds: a token
 * made right after "log out everywhere" must live, one made right before it must not.
 */
import { randomBytes } from 'node:crypto';

const TIME_BYTES = 6;
const RANDOM_BYTES = 15;
const LENGTH = 28;

export function newTokenId(now: Date): string {
  const bytes = Buffer.alloc(TIME_BYTES + RANDOM_BYTES);
  bytes.writeUIntBE(now.getTime(), 0, TIME_BYTES);
  randomBytes(RANDOM_BYTES).copy(bytes, TIME_BYTES);
  return bytes.toString('base64url');
}

/** The instant of issue of a verified token: its identifier's, where that agrees with `iat`. */
export function issuedAtOf(jti: string, iat_s: number): Date {
  const bytes = Buffer.from(jti, 'base64url');
  const at_ms =
    jti.length === LENGTH && bytes.length === TIME_BYTES + RANDOM_BYTES
      ? bytes.readUIntBE(0, TIME_BYTES)
      : 0;
  return new Date(Math.floor(at_ms / 1000) === iat_s ? at_ms : iat_s * 1000);
}

/** When a grant was made: its identifier is made like a token's. */
export function grantTimeOf(grantId: string): Date | undefined {
  const bytes = Buffer.from(grantId, 'base64url');
  return grantId.length === LENGTH && bytes.length === TIME_BYTES + RANDOM_BYTES
    ? new Date(bytes.readUIntBE(0, TIME_BYTES))
    : undefined;
}
