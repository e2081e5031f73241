/** The signing keys in memory, reloaded on every instance when they change. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Database, Db } from '../../db/index.ts';
import type { MasterKey } from '../../master-key.ts';
import {
  decryptPrivateKey,
  type PublicJwk,
  type SigningAlgorithm,
} from './encrypted-signing-key.ts';
import { KEYS_CHANGED } from './rotate-keys.ts';

const RELOAD_MS = 30_000;

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** One state of the key set. A change creates a new object, so caches compare by identity. */
export interface KeySet {
  readonly signing: SigningKey;
  /** The key that signs with another algorithm; undefined while no client uses it. */
  signingWith(alg: SigningAlgorithm): SigningKey | undefined;
  /** Public keys by kid; everything that may still verify, and the next. */
  readonly verifying: ReadonlyMap<string, KeyObject>;
  /** Current first, next last: some clients try only the first key that fits. */
  readonly jwks: { readonly keys: readonly PublicJwk[] };
  /** Private keys in the same order, for the provider. */
  readonly all: readonly { readonly jwk: PublicJwk; readonly privateKey: KeyObject }[];
}

interface Row {
  kid: string;
  state: 'next' | 'current' | 'retiring';
  public_jwk: PublicJwk;
  sealed_private_key: string;
}

async function load(
  database: Database,
  masterKey: MasterKey,
  known: KeySet | undefined,
): Promise<KeySet> {
  const { rows } = await database.query<Row>(
    `select kid, state, public_jwk, sealed_private_key from signing_key
     order by alg <> 'RS256', alg,
       case state when 'current' then 1 when 'retiring' then 2 else 3 end, created_at desc`,
  );
  const privateKeys = new Map(known?.all.map(({ jwk, privateKey }) => [jwk.kid, privateKey]));
  const all = await Promise.all(
    rows.map(async (row) => ({
      jwk: row.public_jwk,
      privateKey:
        privateKeys.get(row.kid) ??
        (await decryptPrivateKey(masterKey, row.kid, row.sealed_private_key)),
    })),
  );
  const signing = all[0];
  if (signing?.jwk.alg !== 'RS256' || rows[0]?.state !== 'current')
    throw new Error('there is no signing key');
  if (
    known &&
    known.all.length === all.length &&
    known.all.every(({ jwk }, i) => jwk.kid === all[i]?.jwk.kid)
  )
    return known;
  const current = new Map(
    all
      .filter((_, i) => rows[i]?.state === 'current')
      .map(({ jwk, privateKey }) => [jwk.alg, { kid: jwk.kid, privateKey }]),
  );
  return {
    signing: { kid: signing.jwk.kid, privateKey: signing.privateKey },
    signingWith: (alg) => current.get(alg),
    verifying: new Map(all.map(({ jwk, privateKey }) => [jwk.kid, createPublicKey(privateKey)])),
    jwks: { keys: all.map(({ jwk }) => jwk) },
    all,
  };
}

/** The keys of one instance. */
export class KeyRing {
  readonly #database: Database;
  readonly #masterKey: MasterKey;
  readonly #ensure: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #handlers: ((keys: KeySet) => void)[] = [];
  #keys: KeySet | undefined;
  #first: Promise<KeySet> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** @param ensure creates the first keys of an empty database */
  constructor(
    database: Database,
    masterKey: MasterKey,
    ensure: () => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#database = database;
    this.#masterKey = masterKey;
    this.#ensure = ensure;
    this.#onError = onError;
  }

  async start(): Promise<void> {
    const reloadSoon = (): void => this.#reloadSoon();
    await this.#database.listen(KEYS_CHANGED, reloadSoon);
    this.#database.onListenGap(reloadSoon);
    await this.#ensure();
    await this.current();
    this.#timer = setInterval(reloadSoon, RELOAD_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The current key set; the first call loads it. */
  async current(): Promise<KeySet> {
    if (this.#keys) return this.#keys;
    this.#first ??= this.#ensure()
      .then(() => this.#reload())
      .finally(() => {
        this.#first = undefined;
      });
    return this.#first;
  }

  /** The key set, if it is loaded. */
  peek(): KeySet | undefined {
    return this.#keys;
  }

  /** Creates what is missing, for an algorithm that a client now uses, and reads the keys. */
  async refresh(): Promise<void> {
    await this.#ensure();
    await this.#reload();
  }

  onChange(handler: (keys: KeySet) => void): void {
    this.#handlers.push(handler);
  }

  async #reload(): Promise<KeySet> {
    const loaded = await load(this.#database, this.#masterKey, this.#keys);
    if (loaded === this.#keys) return loaded;
    this.#keys = loaded;
    for (const handler of this.#handlers) handler(loaded);
    return loaded;
  }

  /** Serialized, so that an older read never replaces a newer one. */
  #reloadSoon(): void {
    this.#queue = this.#queue.then(() => this.#reload()).catch(this.#onError);
  }
}

/** The keys without their private parts. */
export async function listKeys(
  db: Db,
): Promise<
  { kid: string; state: string; created_at: string; activates_at: string; removes_at?: string }[]
> {
  const { rows } = await db.query<{
    kid: string;
    state: string;
    created_at: Date;
    activates_at: Date;
    removes_at: Date | null;
  }>(
    'select kid, state, created_at, activates_at, removes_at from signing_key order by created_at',
  );
  return rows.map(({ kid, state, created_at, activates_at, removes_at }) => ({
    kid,
    state,
    created_at: created_at.toISOString(),
    activates_at: activates_at.toISOString(),
    ...(removes_at && { removes_at: removes_at.toISOString() }),
  }));
}
