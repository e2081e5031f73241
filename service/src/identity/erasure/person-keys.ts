/**
 * The key of each user. What identifies is encrypted under it, and is erased with it, also in
 * backups. An installation keeps its keys shorter in backups than the rest: docs/operations.md.
 */
import { createHash, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import {
  type Database,
  type Db,
  defineStatement,
  execute,
  PerDatabase,
  plainArray,
  queryNamed,
  type Transaction,
  transaction,
} from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MasterKey } from '../../master-key.ts';
import { createCipher, type SecretCipher } from '../secret-encryption.ts';

const KEY_BYTES = 32;
const CACHED_MAX = 10_000;
const CACHED_MS = 600_000;

interface CachedKey {
  readonly cipher: SecretCipher;
  readonly until: number;
}

interface PersonKeys {
  /** Encrypts the keys. */
  readonly cipher: SecretCipher;
  readonly addressKey: KeyObject;
  /** Committed keys by user. */
  readonly cache: Map<number, CachedKey>;
}

const installed = new PerDatabase<PersonKeys>('installPersonKeys');

/** Gives a database its keys, before users sign in; again after a restore. */
export function installPersonKeys(database: Database, masterKey: MasterKey): void {
  installed.set(database, {
    cipher: createCipher(masterKey.derive('person-key')),
    addressKey: createSecretKey(masterKey.derive('address-hash')),
    cache: new Map(),
  });
}

function remember({ cache }: PersonKeys, userId: number, cipher: SecretCipher): void {
  if (cache.size >= CACHED_MAX) cache.clear();
  cache.set(userId, { cipher, until: performance.now() + CACHED_MS });
}

const ownerOf = (userId: number): string => `user ${userId}`;

function findCached(db: Db, userId: number): SecretCipher | undefined {
  const cached = installed.get(db).cache.get(userId);
  return cached && cached.until > performance.now() ? cached.cipher : undefined;
}

/** Undefined: the user has no key, or it was erased. */
async function findCipher(db: Db, userId: number): Promise<SecretCipher | undefined> {
  const cached = findCached(db, userId);
  if (cached) return cached;
  const { rows } = await db.prepared<{ key_sealed: Buffer }>(
    'person-key',
    'select key_sealed from person_key where user_id = $1 and key_sealed is not null',
    [userId],
  );
  return rows[0] && openKey(db, userId, rows[0].key_sealed);
}

function openKey(db: Db, userId: number, keySealed: Buffer): SecretCipher {
  const keys = installed.get(db);
  const cipher = createCipher(keys.cipher.decrypt(keySealed, ownerOf(userId)));
  // A key that this transaction made is not there yet when it rolls back.
  if (db.isTransaction) (db as Transaction).afterCommit(() => remember(keys, userId, cipher));
  else remember(keys, userId, cipher);
  return cipher;
}

/** A key of an account that is closed is not made again after its erasure. */
const ADD_KEY = defineStatement(
  'add-person-key',
  `insert into person_key as k (user_id, key_sealed, created_at)
  values (:user_id, :sealed, :now)
  on conflict (user_id) do update set key_sealed = coalesce(k.key_sealed, excluded.key_sealed)
    where k.erased_at is null
  returning key_sealed`,
);

async function makeCipher(
  tx: Transaction,
  userId: number,
  now: Date,
): Promise<SecretCipher | undefined> {
  const sealed = installed.get(tx).cipher.encrypt(randomBytes(KEY_BYTES), ownerOf(userId));
  const { rows } = await execute<{ key_sealed: Buffer }>(tx, ADD_KEY, {
    user_id: userId,
    sealed,
    now,
  });
  return rows[0] && openKey(tx, userId, rows[0].key_sealed);
}

/** Encrypts under the key of the user, which is made if need be; null after its erasure. */
export async function sealForUser(
  tx: Transaction,
  userId: number,
  value: unknown,
  now: Date,
): Promise<Buffer | null> {
  const cipher = (await findCipher(tx, userId)) ?? (await makeCipher(tx, userId, now));
  return cipher?.encrypt(Buffer.from(JSON.stringify(value)), ownerOf(userId)) ?? null;
}

/** The same for a number that may be no user's; undefined then, and after the erasure. */
export async function sealForKnownUser(
  database: Database,
  clock: Clock,
  userId: number,
  value: object,
): Promise<Buffer | undefined> {
  const known = await database.query('select 1 from app_user where id = $1', [userId]);
  if (known.rowCount === 0) return undefined;
  const seal = (tx: Transaction) => sealForUser(tx, userId, value, clock.now());
  return (await transaction(database, seal)) ?? undefined;
}

/** Undefined under another key: the database was restored without the keys of then. */
function open<T>(cipher: SecretCipher, bytes: Buffer, userId: number): T | undefined {
  try {
    return JSON.parse(cipher.decrypt(bytes, ownerOf(userId)).toString()) as T;
  } catch {
    return undefined;
  }
}

/** Decrypts what `sealForUser` gave; undefined where there is nothing, or no key any more. */
export async function openOfUser<T>(
  db: Db,
  userId: number,
  sealed: readonly (Buffer | null)[],
): Promise<(T | undefined)[]> {
  if (sealed.every((bytes) => bytes === null)) return sealed.map(() => undefined);
  const cipher = await findCipher(db, userId);
  return sealed.map((bytes) => (bytes && cipher ? open<T>(cipher, bytes, userId) : undefined));
}

/** As `openOfUser`, of rows of many users: one query for the keys of all. */
export async function openOfUsers<T>(
  db: Db,
  sealed: readonly { readonly userId: number; readonly bytes: Buffer }[],
): Promise<(T | undefined)[]> {
  const ciphers = new Map<number, SecretCipher>();
  const unknown = new Set<number>();
  for (const { userId } of sealed) {
    const cipher = findCached(db, userId);
    if (cipher) ciphers.set(userId, cipher);
    else unknown.add(userId);
  }
  if (unknown.size > 0) {
    const { rows } = await db.prepared<{ user_id: number; key_sealed: Buffer }>(
      'person-keys',
      `select user_id, key_sealed from person_key
       where user_id = any ($1::bigint[]) and key_sealed is not null`,
      [plainArray([...unknown])],
    );
    for (const { user_id, key_sealed } of rows)
      ciphers.set(user_id, openKey(db, user_id, key_sealed));
  }
  return sealed.map(({ userId, bytes }) => {
    const cipher = ciphers.get(userId);
    return cipher && open<T>(cipher, bytes, userId);
  });
}

/** A keyed hash of a network address; rows have its hash with the user. */
export function hashAddress(db: Db, ip: string): string {
  return createHmac('sha256', installed.get(db).addressKey).update(ip).digest('hex');
}

/** What a row has of a user's address: equal to the SQL of `IS_KNOWN_ADDRESS`. */
export function hashUserAddress(db: Db, ip: string, userId: number): Buffer {
  return createHash('sha256')
    .update(`${hashAddress(db, ip)}/${userId}`)
    .digest();
}

/** From `at` on the user is due for erasure. */
export async function scheduleErasure(
  tx: Transaction,
  userId: number,
  { now, at }: { readonly now: Date; readonly at: Date },
): Promise<void> {
  await queryNamed(
    tx,
    `insert into person_key (user_id, created_at, erase_at) values (:user_id, :now, :erase_at)
     on conflict (user_id) do update set erase_at = excluded.erase_at`,
    { user_id: userId, now, erase_at: at },
  );
}

/** Users whose time has come, the earliest first, each locked. */
export async function lockDueErasures(tx: Transaction, now: Date, most: number): Promise<number[]> {
  const { rows } = await queryNamed<{ user_id: number }>(
    tx,
    `select user_id from person_key where erase_at <= :now and erased_at is null
     order by erase_at limit :most for update skip locked`,
    { now, most },
  );
  return rows.map(({ user_id }) => user_id);
}

/** Destroys the key: what is encrypted under it cannot be read by anyone any more. */
export async function destroyPersonKey(tx: Transaction, userId: number, now: Date): Promise<void> {
  await queryNamed(
    tx,
    'update person_key set key_sealed = null, erased_at = :now where user_id = :user_id',
    { user_id: userId, now },
  );
  const { cache } = installed.get(tx);
  tx.afterCommit(() => cache.delete(userId));
}
