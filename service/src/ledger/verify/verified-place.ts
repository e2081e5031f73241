/**
 * How far a verification that found nothing has seen the ledger. The next one continues there, and
 * so reads what was posted between the two (ADR 0087). Records are in the audit log of the same
 * database: a keyed hash shows that this service wrote one. An attacker with the database alone can
 * remove records, which makes the next verification read more, never less. What a record says
 * beside its hash, its time in the log too, decides nothing.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  findFuturePlaces,
  listVerifiedPlaces,
  type VerifiedPlaceRecord,
} from '../../audit/index.ts';
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
/** Forged records that are named. */
const NAMED_MAX = 20;
/** Clocks of two machines differ by less. */
const FUTURE_MS = 3_600_000;

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
  /** Newer records that this service did not write, and records of the future. */
  readonly forged: readonly Finding[];
}

async function nameFuture(db: Db): Promise<Finding[]> {
  const future = await findFuturePlaces(db);
  if (!future) return [];
  const { first, count } = future;
  const detail = `is of the future, and passed over; there are ${count} such records`;
  return [{ check: 'verifications', row: `audit_entry ${first}`, detail }];
}

/**
 * The true record that has seen most. Forged ones that stand before it in the log are named; when
 * only forged ones are found, all is read.
 */
export async function findVerifiedPlace(db: Db): Promise<FoundPlace> {
  const latest_ms = getLedgerContext(db).clock.now().getTime() + FUTURE_MS;
  const future = await nameFuture(db);
  const forged: Finding[] = [];
  let named = 0;
  let found: VerifiedPlace | undefined;
  let found_ms = Number.NEGATIVE_INFINITY;
  for await (const { id, record } of listVerifiedPlaces(db)) {
    const place = openPlace(db, record);
    const until_ms = place ? Date.parse(place.verified_until) : Number.NaN;
    if (until_ms > found_ms && until_ms <= latest_ms) {
      found = place;
      found_ms = until_ms;
      named = forged.length;
    } else if (!place && forged.length < NAMED_MAX)
      forged.push({
        check: 'verifications',
        row: `audit_entry ${id}`,
        detail: 'says how far a verification came, and was not written by one',
      });
  }
  return { place: found, forged: [...future, ...forged.slice(0, found ? named : NAMED_MAX)] };
}
