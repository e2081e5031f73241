/**
 * Life cycle of signing keys: `next` is published at least 24 h before it signs, `current` signs,
 * `retiring` verifies until the last token that it signed has expired, and 24 h longer. All changes
 * take one advisory lock, so that parallel instances never create two keys.
 */
import {
  ADVISORY_LOCKS,
  type Db,
  type Transaction,
  takeLock,
  transaction,
} from '../../db/index.ts';
import { revokeAllTokens } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MasterKey } from '../../master-key.ts';
import { generateSigningKey } from './encrypted-signing-key.ts';

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

/** One change of the key set, under the lock. */
interface KeyChange {
  readonly tx: Transaction;
  readonly masterKey: MasterKey;
  readonly now: Date;
  readonly policy: KeyPolicy;
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
  { tx, masterKey, now, policy }: KeyChange,
  state: 'next' | 'current',
): Promise<void> {
  const { publicJwk, encryptedPrivateKey } = await generateSigningKey(masterKey);
  const activatesAt = state === 'current' ? now : new Date(now.getTime() + policy.rotateEvery_ms);
  await tx.query(
    `insert into signing_key
       (kid, state, public_jwk, sealed_private_key, created_at, activates_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [publicJwk.kid, state, JSON.stringify(publicJwk), encryptedPrivateKey, now, activatesAt],
  );
}

const notifyKeysChanged = (tx: Transaction): Promise<unknown> =>
  tx.query(`select pg_notify('${KEYS_CHANGED}', '')`);

/** Moves the next key to current; the old one continues to verify. Creates the key after it. */
async function activateNext(change: KeyChange): Promise<void> {
  const { tx, now, policy } = change;
  const removesAt = new Date(now.getTime() + policy.longestToken_ms + DAY_MS);
  await tx.query(
    "update signing_key set state = 'retiring', removes_at = $1 where state = 'current'",
    [removesAt],
  );
  await tx.query(
    "update signing_key set state = 'current', activates_at = $1 where state = 'next'",
    [now],
  );
  await insertKey(change, 'next');
}

/**
 * Brings the keys to the state that is due: creates the first ones, activates the next one, deletes
 * retired ones. Safe to call at any time on every instance.
 */
export async function maintainKeys(
  db: Db,
  clock: Clock,
  masterKey: MasterKey,
  policy: KeyPolicy,
): Promise<void> {
  await transaction(db, async (tx) => {
    const change = { tx, masterKey, now: clock.now(), policy };
    const keys = await lockKeys(tx);
    const next = keys.find((key) => key.state === 'next');
    const { rowCount: removed } = await tx.query(
      "delete from signing_key where state = 'retiring' and removes_at <= $1",
      [change.now],
    );
    const isFirst = !next && !keys.some((key) => key.state === 'current');
    const isDue = next !== undefined && next.activates_at <= change.now;
    if (isFirst) {
      await insertKey(change, 'current');
      await insertKey(change, 'next');
    } else if (isDue) await activateNext(change);
    if (removed > 0 || isFirst || isDue) await notifyKeysChanged(tx);
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
    if (at <= now) await activateNext({ tx, masterKey, now, policy });
    else await tx.query("update signing_key set activates_at = $1 where state = 'next'", [at]);
    await notifyKeysChanged(tx);
    return at;
  });
}

/**
 * Deletes a key at once, and revokes on every instance all tokens and sessions issued so far: with
 * the key any token can be forged, and a restored database lacks both the keys that have signed
 * since and the revocations. Without `kid`, the current key, which the next one replaces at once.
 * Returns the deleted kid.
 */
export async function dropKey(
  db: Db,
  clock: Clock,
  masterKey: MasterKey,
  { kid, ...policy }: KeyPolicy & { readonly kid?: string | undefined },
): Promise<string> {
  return transaction(db, async (tx) => {
    const change = { tx, masterKey, now: clock.now(), policy };
    const keys = await lockKeys(tx);
    const dropped = keys.find((key) =>
      kid === undefined ? key.state === 'current' : key.kid === kid,
    );
    if (!dropped)
      throw new Error(kid === undefined ? 'there is no current key' : `there is no key ${kid}`);
    await tx.query('delete from signing_key where kid = $1', [dropped.kid]);
    if (dropped.state === 'current') await activateNext(change);
    if (dropped.state === 'next') await insertKey(change, 'next');
    await notifyKeysChanged(tx);
    await revokeAllTokens(tx, clock, 'emergency');
    // Decided requests stay recorded: an answer must not count a second time.
    await tx.query("delete from oidc_object where model <> 'AnsweredRequest'");
    return dropped.kid;
  });
}
