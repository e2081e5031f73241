/**
 * Which receivers of a block may be ours. Nearly all are strangers: asking the database for each of them among a
 * million addresses took longer than everything else. The sieve lets through ours and a few that look like them; the
 * database has the last word.
 */
import type { Db } from '../db/index.ts';
import { createFingerprintSet } from './fingerprint-set.ts';

export interface AddressSieve {
  /** Afterwards every address that was issued before this call, by whatever process, passes. */
  refresh(): Promise<void>;
  mightBeOurs(addressKey: string): boolean;
}

const PAGE = 20_000;

/** One page as one value: a million rows would be a million objects. */
const KEYS = `select max(derivation_index) as last, string_agg(address_key, ',') as keys from
  (select derivation_index, address_key from deposit_address
   where wallet_id = $1 and derivation_index >= $2 and derivation_index < $3 order by derivation_index limit ${PAGE}) as page`;

/** Makes an empty sieve for the addresses of a family of networks. */
export function createAddressSieve(db: Db, family: string): AddressSieve {
  const fingerprints = createFingerprintSet();
  /** By wallet: all addresses below this number are taken in. */
  const known = new Map<number, number>();
  let refreshing: Promise<void> = Promise.resolve();

  /** Numbers are given out under the wallet's lock: whoever sees the next one sees all below it. */
  async function takeIn(wallet: number, next: number): Promise<void> {
    for (let from = known.get(wallet) ?? 0; from < next; known.set(wallet, from)) {
      const { rows } = await db.query<{ last: number | null; keys: string | null }>(KEYS, [
        wallet,
        from,
        next,
      ]);
      const [page] = rows;
      for (const key of page?.keys?.split(',') ?? []) fingerprints.add(key);
      from = (page?.last ?? next - 1) + 1;
    }
  }

  async function refreshOnce(): Promise<void> {
    const { rows } = await db.prepared<{ id: number; next_index: number }>(
      'deposits_wallets',
      'select id, next_index from deposit_wallet where family = $1 order by id',
      [family],
    );
    for (const { id, next_index } of rows) await takeIn(id, next_index);
  }

  return {
    refresh() {
      // One after the other, and never shared: what began before this call may have missed what it is about.
      refreshing = refreshing.catch(() => undefined).then(refreshOnce);
      return refreshing;
    },
    mightBeOurs: (addressKey) => fingerprints.mayHave(addressKey),
  };
}
