/**
 * The life of signing keys: `next` is published at least 24 h before it signs, `current` signs, `retiring` verifies
 * until its last token has expired, and 24 h longer. All changes hold one lock, so that nodes never make two.
 */
import {
  ADVISORY_LOCKS,
  type Db,
  type Transaction,
  takeLock,
  transaction,
} from '../../db/index.ts';
import { endEverything } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MasterKey } from '../../master-key.ts';
import { makeKey } from './encrypted-signing-key.ts';

/** Notification channel: the key set changed. */
export const KEYS_CHANGED = 'signing_keys';
const DAY_MS = 86_400_000;
export const PUBLISHED_BEFORE_MS = DAY_MS;

export interface KeyPolicy {
  /** How long a key signs. */
  readonly rotateEvery_ms: number;
  /** Longest life of anything that was signed. */
  readonly longestToken_ms: number;
}

interface KeyRow {
  kid: string;
  state: 'next' | 'current' | 'retiring';
  created_at: Date;
  activates_at: Date;
  removes_at: Date | null;
}

async function lockKeys(tx: Transaction): Promise<KeyRow[]> {
  await takeLock(tx, ADVISORY_LOCKS.signingKeys);
  return (
    await tx.query<KeyRow>(
      'select kid, state, created_at, activates_at, removes_at from signing_key',
    )
  ).rows;
}

async function insertKey(
  tx: Transaction,
  masterKey: MasterKey,
  now: Date,
  state: 'next' | 'current',
  activatesAt: Date,
): Promise<void> {
  const { publicJwk, sealedPrivateKey } = await makeKey(masterKey);
  await tx.query(
    'insert into signing_key (kid, state, public_jwk, sealed_private_key, created_at, activates_at) values ($1, $2, $3, $4, $5, $6)',
    [publicJwk.kid, state, JSON.stringify(publicJwk), sealedPrivateKey, now, activatesAt],
  );
}

const announce = (tx: Transaction): Promise<unknown> =>
  tx.query(`select pg_notify('${KEYS_CHANGED}', '')`);

/** Moves the next key to current; the old one goes on verifying. Makes the key after it. */
async function activateNext(
  tx: Transaction,
  masterKey: MasterKey,
  now: Date,
  policy: KeyPolicy,
): Promise<void> {
  const removesAt = new Date(now.getTime() + policy.longestToken_ms + DAY_MS);
  await tx.query(
    "update signing_key set state = 'retiring', removes_at = $1 where state = 'current'",
    [removesAt],
  );
  await tx.query(
    "update signing_key set state = 'current', activates_at = $1 where state = 'next'",
    [now],
  );
  await insertKey(tx, masterKey, now, 'next', new Date(now.getTime() + policy.rotateEvery_ms));
}

/**
 * Brings the keys to what they should be now: makes the first ones, activates the next when it is due, forgets
 * retired ones. Safe to call at any time on every node.
 */
export async function maintainKeys(
  db: Db,
  clock: Clock,
  masterKey: MasterKey,
  policy: KeyPolicy,
): Promise<void> {
  await transaction(db, async (tx) => {
    const now = clock.now();
    const keys = await lockKeys(tx);
    const next = keys.find((key) => key.state === 'next');
    const { rowCount: removed } = await tx.query(
      "delete from signing_key where state = 'retiring' and removes_at <= $1",
      [now],
    );
    let changed = removed > 0;
    if (!keys.some((key) => key.state === 'current') && !next) {
      await insertKey(tx, masterKey, now, 'current', now);
      await insertKey(tx, masterKey, now, 'next', new Date(now.getTime() + policy.rotateEvery_ms));
      changed = true;
    } else if (next && next.activates_at <= now) {
      await activateNext(tx, masterKey, now, policy);
      changed = true;
    }
    if (changed) await announce(tx);
  });
}

/** Rotates as soon as the next key has been published for 24 h. Returns when it signs. */
export async function rotateKeys(
  db: Db,
  clock: Clock,
  masterKey: MasterKey,
  policy: KeyPolicy,
): Promise<Date> {
  return transaction(db, async (tx) => {
    const now = clock.now();
    const next = (await lockKeys(tx)).find((key) => key.state === 'next');
    if (!next) throw new Error('there is no next key yet: start the service once');
    const at = new Date(Math.max(now.getTime(), next.created_at.getTime() + PUBLISHED_BEFORE_MS));
    if (at <= now) await activateNext(tx, masterKey, now, policy);
    else await tx.query("update signing_key set activates_at = $1 where state = 'next'", [at]);
    await announce(tx);
    return at;
  });
}

/**
 * Drops a key at once, and with it ends all that anybody was given up to now, on every node: whoever had the key could
 * give themselves anything, and a database that was restored knows neither which keys have signed since nor what was
 * ended. Without a kid, the current one, whose place the next takes at once. Returns the dropped kid.
 */
export async function dropKey(
  db: Db,
  clock: Clock,
  masterKey: MasterKey,
  policy: KeyPolicy,
  kid?: string,
): Promise<string> {
  return transaction(db, async (tx) => {
    const now = clock.now();
    const keys = await lockKeys(tx);
    const dropped = keys.find((key) =>
      kid === undefined ? key.state === 'current' : key.kid === kid,
    );
    if (!dropped)
      throw new Error(kid === undefined ? 'there is no current key' : `there is no key ${kid}`);
    await tx.query('delete from signing_key where kid = $1', [dropped.kid]);
    if (dropped.state === 'current') await activateNext(tx, masterKey, now, policy);
    if (dropped.state === 'next')
      await insertKey(tx, masterKey, now, 'next', new Date(now.getTime() + policy.rotateEvery_ms));
    await announce(tx);
    await endEverything(tx, clock, 'emergency');
    // Which requests were answered stays known.
    await tx.query("delete from oidc_object where model <> 'AnsweredRequest'");
    return dropped.kid;
  });
}
