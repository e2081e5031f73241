/**
 * Heads: where every shard of the ledger stands, signed with a key of its own. A copy kept
 * elsewhere proves that a tail was removed.
 */
import { hash, type KeyObject, sign, verify } from 'node:crypto';
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
import { proveKeys, takeKey } from './ledger-keys.ts';
import { loadReference } from './reference-data.ts';
import { namesOf, type SignedNames } from './signed-reference-data.ts';

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

export interface HeadRange {
  readonly limit: number;
  /** Oldest day; absent: of all days. */
  readonly from?: string | undefined;
  /** Only days before it; absent: all. */
  readonly before?: string | undefined;
}

/** Stored heads, newest first. */
export async function listHeads(db: Db, { limit, from, before }: HeadRange): Promise<SignedHead[]> {
  return (
    await queryNamed<SignedHead>(
      db,
      `select day, coalesce(body, '') as body, coalesce(signature, '') as signature, kid
        from ledger_head where day >= coalesce(:from::date, '-infinity')
          and day < coalesce(:before::date, 'infinity') order by day desc limit :limit`,
      { limit, from: from ?? null, before: before ?? null },
    )
  ).rows;
}
