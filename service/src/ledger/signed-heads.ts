/**
 * Heads: where every shard of the ledger stands, signed with a key of its own. A copy kept
 * elsewhere proves that a tail was removed.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AuditPlace, readAuditPlace } from '../audit/index.ts';
import {
  ADVISORY_LOCKS,
  type Db,
  queryNamed,
  type Transaction,
  takeLock,
  transaction,
} from '../db/index.ts';
import { addDays, toDay } from '../lib/calendar.ts';
import { getLedgerContext } from './ledger-context.ts';
import { loadReference } from './reference-data.ts';
import { namesOf, type SignedNames } from './signed-reference-data.ts';

const PURPOSE = 'ledger-head-key';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface SignedHead {
  /** UTC day that it closes; of a head made on demand, the day it was made. */
  readonly day: string;
  /** Exactly the bytes that were signed: JSON, see `HeadBody`. */
  readonly body: string;
  /** Ed25519, base64url. */
  readonly signature: string;
  readonly kid: string;
}

export interface HeadBody extends SignedNames {
  readonly day: string;
  readonly signed_at: string;
  readonly shards: readonly {
    readonly shard: number;
    readonly seals: number;
    readonly transfers: number;
    readonly steps: number;
    /** Absent in heads of earlier versions. */
    readonly refusals?: number;
    readonly mac: string;
  }[];
  /** Where the audit log was sealed up to; absent: not yet. */
  readonly audit?: AuditPlace;
  /** SHA-256 of the body of the stored head before it. */
  readonly previous: string | null;
}

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
async function takeKey(tx: Transaction): Promise<{ kid: string; privateKey: KeyObject }> {
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

export function isSignedBy(key: KeyObject, head: Pick<SignedHead, 'body' | 'signature'>): boolean {
  return verify(null, Buffer.from(head.body), key, Buffer.from(head.signature, 'base64url'));
}

/** A text with the signature of the key that signs heads. */
export type SignedText = Pick<SignedHead, 'body' | 'signature' | 'kid'>;

/** Signs a text that says by itself what it is, so that it cannot pass for a head. */
export async function signText(tx: Transaction, body: string): Promise<SignedText> {
  const { kid, privateKey } = await takeKey(tx);
  const signature = sign(null, Buffer.from(body), privateKey).toString('base64url');
  return { body, signature, kid };
}

/** Whether a key of this ledger signed the text: its private part proves the key. */
export async function isSignedByLedger(db: Db, signed: SignedText): Promise<boolean> {
  const key = (await proveKeys(db)).find(({ kid }) => kid === signed.kid)?.publicKey;
  return key !== undefined && isSignedBy(key, signed);
}

/** Where every shard stands now. */
export async function readShards(db: Db): Promise<HeadBody['shards']> {
  const { rows } = await db.query<{
    shard: number;
    seals: number;
    transfers: number;
    steps: number;
    refusals: number;
    mac: Buffer;
  }>('select shard, seals, transfers, steps, refusals, mac from ledger_shard order by shard');
  return rows.map((row) => ({ ...row, mac: row.mac.toString('hex') }));
}

/** Signs where the ledger stands now. */
export async function signHead(db: Db, day?: string): Promise<SignedHead> {
  return transaction(db, async (tx) => {
    const now = getLedgerContext(tx).clock.now();
    // Heads are signed one after the other.
    await takeLock(tx, ADVISORY_LOCKS.ledgerKey);
    const shards = await readShards(tx);
    const before = (
      await tx.query<{ body: string }>('select body from ledger_head order by day desc limit 1')
    ).rows[0];
    const audit = await readAuditPlace(tx);
    const body: HeadBody = {
      day: day ?? toDay(now),
      signed_at: now.toISOString(),
      shards,
      ...namesOf(await loadReference(tx)),
      ...(audit && { audit }),
      previous: before ? hash('sha256', before.body, 'base64url') : null,
    };
    return { day: body.day, ...(await signText(tx, JSON.stringify(body))) };
  });
}

/** Job: keeps one signed head per UTC day that is over. Safe to run on any instance at any time. */
export async function signDailyHead(db: Db): Promise<boolean> {
  return transaction(db, async (tx) => {
    const now = getLedgerContext(tx).clock.now();
    const day = addDays(toDay(now), -1);
    if ((await tx.query('select 1 from ledger_head where day >= $1', [day])).rowCount > 0)
      return false;
    const head = await signHead(tx, day);
    const { body, signature, kid } = head;
    const { rowCount } = await queryNamed(
      tx,
      `insert into ledger_head (day, body, signature, kid, created_at)
       values (:day, :body, :signature, :kid, :now) on conflict (day) do nothing`,
      { day, body, signature, kid, now },
    );
    return rowCount > 0;
  });
}

/** Stored heads, newest first. @param from the oldest day; absent: of all days */
export async function listHeads(db: Db, limit: number, from?: string): Promise<SignedHead[]> {
  return (
    await queryNamed<SignedHead>(
      db,
      `select day, coalesce(body, '') as body, coalesce(signature, '') as signature, kid
        from ledger_head where :from::date is null or day >= :from order by day desc limit :limit`,
      { limit, from: from ?? null },
    )
  ).rows;
}
