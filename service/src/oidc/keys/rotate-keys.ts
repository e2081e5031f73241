/**
 * Life cycle of signing keys: `next` is published at least 24 h before it signs, `current` signs,
 * `retiring` verifies until the last token that it signed has expired, and 24 h longer. All changes
 * take one advisory lock, so that parallel instances never create two keys.
 */
import {
  ADVISORY_LOCKS,
  type Db,
  queryNamed,
  type Transaction,
  takeLock,
  transaction,
} from '../../db/index.ts';
import { revokeAllTokens } from '../../identity/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MasterKey } from '../../master-key.ts';
import { generateSigningKey, type SigningAlgorithm } from './encrypted-signing-key.ts';

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
  alg: SigningAlgorithm;
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
  /** Keys of one algorithm have a life cycle of their own. */
  readonly alg: SigningAlgorithm;
}

async function lockKeys(tx: Transaction): Promise<KeyRow[]> {
  await takeLock(tx, ADVISORY_LOCKS.signingKeys);
  return (
    await tx.query<KeyRow>(
      'select kid, alg, state, created_at, activates_at, removes_at from signing_key',
    )
  ).rows;
}

async function insertKey(
  { tx, masterKey, now, policy, alg }: KeyChange,
  state: 'next' | 'current',
): Promise<void> {
  const { publicJwk, encryptedPrivateKey } = await generateSigningKey(masterKey, alg);
  const activatesAt = state === 'current' ? now : new Date(now.getTime() + policy.rotateEvery_ms);
  await queryNamed(
    tx,
    `insert into signing_key
       (kid, state, public_jwk, sealed_private_key, created_at, activates_at, alg)
     values (:kid, :state, :public_jwk, :encrypted_private_key, :now, :activates_at, :alg)`,
    {
      kid: publicJwk.kid,
      state,
      public_jwk: JSON.stringify(publicJwk),
      encrypted_private_key: encryptedPrivateKey,
      now,
      activates_at: activatesAt,
      alg,
    },
  );
}

/** All instances load the keys again. */
export const notifyKeysChanged = (tx: Transaction): Promise<unknown> =>
  tx.query(`select pg_notify('${KEYS_CHANGED}', '')`);

/** Moves the next key to current; the old one continues to verify. Creates the key after it. */
async function activateNext(change: KeyChange): Promise<void> {
  const { tx, now, policy, alg } = change;
  const removesAt = new Date(now.getTime() + policy.longestToken_ms + DAY_MS);
  await queryNamed(
    tx,
    `update signing_key set state = 'retiring', removes_at = :removes_at
     where state = 'current' and alg = :alg`,
    { removes_at: removesAt, alg },
  );
  await queryNamed(
    tx,
    `update signing_key set state = 'current', activates_at = :now
     where state = 'next' and alg = :alg`,
    { now, alg },
  );
  await insertKey(change, 'next');
}

/** RS256, what clients are registered for, and what has keys. */
async function listUsed(
  tx: Transaction,
  keys: readonly KeyRow[],
): Promise<ReadonlySet<SigningAlgorithm>> {
  const { rows } = await tx.query<{ alg: SigningAlgorithm }>(
    `select distinct metadata->>'id_token_signed_response_alg' as alg from oauth_client
     where metadata ? 'id_token_signed_response_alg' and removed_at is null`,
  );
  return new Set<SigningAlgorithm>(['RS256', ...[...rows, ...keys].map(({ alg }) => alg)]);
}

/** True where something was due. */
async function maintainOne(change: KeyChange, all: readonly KeyRow[]): Promise<boolean> {
  const keys = all.filter(({ alg }) => alg === change.alg);
  const next = keys.find((key) => key.state === 'next');
  if (!next && !keys.some((key) => key.state === 'current')) {
    await insertKey(change, 'current');
    await insertKey(change, 'next');
    return true;
  }
  if (next === undefined || next.activates_at > change.now) return false;
  await activateNext(change);
  return true;
}

/**
 * Brings the keys to the state that is due: creates the first ones, activates the next one. Safe to
 * call at any time on every instance.
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
    let isChanged = false;
    for (const alg of await listUsed(tx, keys)) {
      const change = { tx, masterKey, now, policy, alg };
      if (await maintainOne(change, keys)) isChanged = true;
    }
    if (isChanged) await notifyKeysChanged(tx);
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
    const following = (await lockKeys(tx)).filter((key) => key.state === 'next');
    if (following.length === 0) throw new Error('there is no next key yet: start the service once');
    let last = now;
    for (const { alg, created_at } of following) {
      const at = new Date(Math.max(now.getTime(), created_at.getTime() + PUBLISHED_BEFORE_MS));
      if (at <= now) await activateNext({ tx, masterKey, now, policy, alg });
      else
        await queryNamed(
          tx,
          "update signing_key set activates_at = :activates_at where state = 'next' and alg = :alg",
          { activates_at: at, alg },
        );
      if (at > last) last = at;
    }
    await notifyKeysChanged(tx);
    return last;
  });
}

/**
 * Deletes a key at once, and revokes on every instance all tokens and sessions issued so far: with
 * the key any token can be forged, and a restored database lacks both the keys that have signed
 * since and the revocations. Without `kid`, the current keys, which the next ones replace at once.
 * Returns the deleted kids, with commas between.
 */
export async function dropKey(
  db: Db,
  clock: Clock,
  masterKey: MasterKey,
  { kid, ...policy }: KeyPolicy & { readonly kid?: string | undefined },
): Promise<string> {
  return transaction(db, async (tx) => {
    // All sessions and grants of all users, in an emergency: no limit of time may undo it.
    await tx.query('set local statement_timeout = 0');
    const shared = { tx, masterKey, now: clock.now(), policy };
    const dropped = (await lockKeys(tx)).filter((key) =>
      kid === undefined ? key.state === 'current' : key.kid === kid,
    );
    if (dropped.length === 0)
      throw new Error(kid === undefined ? 'there is no current key' : `there is no key ${kid}`);
    for (const { kid: gone, alg, state } of dropped) {
      await tx.query('delete from signing_key where kid = $1', [gone]);
      if (state === 'current') await activateNext({ ...shared, alg });
      if (state === 'next') await insertKey({ ...shared, alg }, 'next');
    }
    await notifyKeysChanged(tx);
    await revokeAllTokens(tx, clock, 'emergency');
    // Decided requests stay recorded: an answer must not count a second time.
    await tx.query("delete from oidc_object where model <> 'AnsweredRequest'");
    return dropped.map((key) => key.kid).join(', ');
  });
}
