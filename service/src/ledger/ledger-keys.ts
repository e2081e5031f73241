/** The keys that sign heads: their private parts are encrypted with a key of the master key. */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ADVISORY_LOCKS, type Db, queryNamed, type Transaction, takeLock } from '../db/index.ts';
import { getLedgerContext } from './ledger-context.ts';

const PURPOSE = 'ledger-head-key';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface LedgerKey {
  readonly kid: string;
  readonly public_jwk: Readonly<Record<string, unknown>>;
}

interface KeyRow extends LedgerKey {
  readonly sealed_private_key: string;
}

function sealKey(key: Buffer, kid: string, privateKey: KeyObject): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(kid));
  const body = Buffer.concat([
    cipher.update(privateKey.export({ format: 'der', type: 'pkcs8' })),
    cipher.final(),
  ]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

/** @throws when the row was changed, or the master key is another one */
function openKey(key: Buffer, row: KeyRow): KeyObject {
  const bytes = Buffer.from(row.sealed_private_key, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES)).setAAD(
    Buffer.from(row.kid),
  );
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const plain = Buffer.concat([
    decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
    decipher.final(),
  ]);
  return createPrivateKey({ key: plain, format: 'der', type: 'pkcs8' });
}

async function findKey(db: Db): Promise<KeyRow | undefined> {
  return (
    await db.query<KeyRow>(
      `select kid, public_jwk, sealed_private_key from ledger_key order by created_at desc, kid
        limit 1`,
    )
  ).rows[0];
}

/** A public key as it is published, named by its RFC 7638 thumbprint. */
function publish(publicKey: KeyObject): LedgerKey['public_jwk'] & { readonly kid: string } {
  const jwk = publicKey.export({ format: 'jwk' });
  const kid = hash('sha256', JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x }), 'base64url');
  return { ...jwk, kid, use: 'sig', alg: 'EdDSA' };
}

/** The key that signs; made at its first use. */
export async function takeKey(tx: Transaction): Promise<{ kid: string; privateKey: KeyObject }> {
  const { clock, masterKey } = getLedgerContext(tx);
  await takeLock(tx, ADVISORY_LOCKS.ledgerKey);
  const known = await findKey(tx);
  if (known) return { kid: known.kid, privateKey: openKey(masterKey.derive(PURPOSE), known) };
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const jwk = publish(publicKey);
  const { kid } = jwk;
  await queryNamed(
    tx,
    `insert into ledger_key (kid, public_jwk, sealed_private_key, created_at)
     values (:kid, :public_jwk, :sealed_private_key, :now)`,
    {
      kid,
      public_jwk: JSON.stringify(jwk),
      sealed_private_key: sealKey(masterKey.derive(PURPOSE), kid, privateKey),
      now: clock.now(),
    },
  );
  return { kid, privateKey };
}

/** Public keys that signed heads, as a JWK set. */
export async function listLedgerKeys(db: Db): Promise<LedgerKey[]> {
  return (
    await db.query<LedgerKey>('select kid, public_jwk from ledger_key order by created_at, kid')
  ).rows;
}

/** A key as the encrypted private part proves it: a swapped public part gains nothing. */
export interface ProvenKey {
  readonly kid: string;
  /** Absent: the private part cannot be opened, and proves nothing. */
  readonly publicKey?: KeyObject;
  /** What is published is this key, and nothing else. */
  readonly isPublishedTruly: boolean;
}

export async function proveKeys(db: Db): Promise<ProvenKey[]> {
  const key = getLedgerContext(db).masterKey.derive(PURPOSE);
  const { rows } = await db.query<KeyRow>(
    'select kid, public_jwk, sealed_private_key from ledger_key order by created_at, kid',
  );
  return rows.map((row) => {
    try {
      const publicKey = createPublicKey(openKey(key, row));
      return {
        kid: row.kid,
        publicKey,
        isPublishedTruly: isDeepStrictEqual(row.public_jwk, publish(publicKey)),
      };
    } catch {
      return { kid: row.kid, isPublishedTruly: false };
    }
  });
}
