/**
 * How far a verification that found nothing has seen the ledger. The next one continues there, and
 * so reads what was posted between the two (ADR 0087). Records are in the audit log of the same
 * database: a keyed hash shows that this service wrote one, so an attacker with the database alone
 * can remove records or repeat old ones, which makes the next verification read more, never less.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { listVerifiedPlaces, type VerifiedPlaceRecord } from '../../audit/index.ts';
import type { Db } from '../../db/index.ts';
import { getLedgerContext } from '../ledger-context.ts';
import type { HeadBody } from '../signed-heads.ts';
import type { Finding } from './findings.ts';

export interface VerifiedPlace extends Pick<HeadBody, 'audit'> {
  /** When it was verified (ISO 8601): all that was posted before was read. */
  readonly verified_until: string;
  /** Where every shard stood. */
  readonly shards: readonly Required<HeadBody['shards'][number]>[];
  /** The last stored head, with the SHA-256 of its body; null: there was none. */
  readonly head: { readonly day: string; readonly hash: string } | null;
}

const PURPOSE = 'ledger-verified-place';
/** Of another sort of text the key makes no hash. */
const FORM = 'verified-place-1\n';
/** Records that are tried, newest first; behind more forged ones all is read. */
const TRIED_MAX = 100;

function macOf(db: Db, body: string): Buffer {
  const key = getLedgerContext(db).masterKey.derive(PURPOSE);
  return createHmac('sha256', key).update(FORM).update(body).digest();
}

/** The record of a place, of a verification without findings. */
export function sealPlace(db: Db, place: VerifiedPlace): VerifiedPlaceRecord {
  const body = JSON.stringify(place);
  return { body, mac: macOf(db, body).toString('base64url') };
}

function openPlace(db: Db, { body, mac }: VerifiedPlaceRecord): VerifiedPlace | undefined {
  const given = Buffer.from(mac, 'base64url');
  const right = macOf(db, body);
  return given.length === right.length && timingSafeEqual(given, right)
    ? (JSON.parse(body) as VerifiedPlace)
    : undefined;
}

export interface FoundPlace {
  /** Undefined: none was recorded. */
  readonly place: VerifiedPlace | undefined;
  /** Newer records that this service did not write. */
  readonly forged: readonly Finding[];
}

/** The place of the newest true record. */
export async function findVerifiedPlace(db: Db): Promise<FoundPlace> {
  const forged: Finding[] = [];
  for (const { id, record } of await listVerifiedPlaces(db, TRIED_MAX)) {
    const place = openPlace(db, record);
    if (place) return { place, forged };
    forged.push({
      check: 'verifications',
      row: `audit_entry ${id}`,
      detail: 'says how far a verification came, and was not written by one',
    });
  }
  return { place: undefined, forged };
}
