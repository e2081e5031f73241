/**
 * Finds the receivers of a block that may be addresses of users. Nearly all are not, and to look
 * each of them up among a million addresses took longer than all other work. The prefilter passes
 * the addresses of users and a few others; the database decides.
 */
import { type Db, defineStatement, execute } from '../db/index.ts';

const PAGE_ADDRESSES = 20_000;

/** One page as one value: a million rows would be a million objects. */
const READ_KEYS = defineStatement(
  'deposit_address_keys',
  `select max(derivation_index) as last, string_agg(address_key, ',') as keys from
    (select derivation_index, address_key from deposit_address
      where wallet_id = :wallet and derivation_index >= :from and derivation_index < :next
      order by derivation_index limit ${PAGE_ADDRESSES}) as page`,
);

const READ_WALLETS = defineStatement(
  'deposit_wallet_next_indexes',
  'select id, next_index from deposit_wallet where family = :family order by id',
);

/** FNV-1a with a final mix, as an integer that a set stores without allocation. */
function fingerprint(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** The addresses of a family of networks, as 32-bit fingerprints. */
export class AddressPrefilter {
  readonly #db: Db;
  readonly #family: string;
  readonly #fingerprints = new Set<number>();
  /** By wallet: all addresses below this index are loaded. */
  readonly #loaded = new Map<number, number>();
  #refreshing: Promise<void> = Promise.resolve();

  constructor(db: Db, family: string) {
    this.#db = db;
    this.#family = family;
  }

  /** Afterwards every address that was issued before this call, by any process, passes. */
  refresh(): Promise<void> {
    // Calls run one after the other and are never shared: one that began earlier may have missed
    // addresses that this call has to find.
    this.#refreshing = this.#refreshing.catch(() => undefined).then(() => this.#load());
    return this.#refreshing;
  }

  /** False: no user has the address. True: a user has it, or one with the same fingerprint. */
  mayContain(addressKey: string): boolean {
    return this.#fingerprints.has(fingerprint(addressKey));
  }

  /** Indexes are issued under the lock of the wallet: who sees the next sees all below it. */
  async #load(): Promise<void> {
    const { rows } = await execute<{ id: number; next_index: number }>(this.#db, READ_WALLETS, {
      family: this.#family,
    });
    for (const { id: wallet, next_index: next } of rows) {
      for (let from = this.#loaded.get(wallet) ?? 0; from < next; ) {
        const [page] = (
          await execute<{ last: number | null; keys: string | null }>(this.#db, READ_KEYS, {
            wallet,
            from,
            next,
          })
        ).rows;
        for (const key of page?.keys?.split(',') ?? []) this.#fingerprints.add(fingerprint(key));
        from = (page?.last ?? next - 1) + 1;
        this.#loaded.set(wallet, from);
      }
    }
  }
}
