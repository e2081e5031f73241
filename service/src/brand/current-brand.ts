/**
 * The brand in memory, so that pages and mails need no statement: read at the start, after each
 * change, and again when it is used after some seconds, in case a notification was lost.
 */
import { type Database, onAnnounced } from '../db/index.ts';
import { type Brand, DEFAULT_BRAND, readBrand } from './brand.ts';

/** Announced when the brand was changed. */
export const BRAND_CHANGED = 'brand';
const FRESH_MS = 5000;

export interface CurrentBrand {
  start(): Promise<void>;
  /** As last read: pages are shown without the database, too. */
  get(): Brand;
  /** Reads a change that this process has just made. */
  refresh(): Promise<Brand>;
}

/** @param onError told when the brand could not be read again; the one before stays */
export function createCurrentBrand(
  database: Database,
  onError: (error: unknown) => void,
): CurrentBrand {
  let brand = DEFAULT_BRAND;
  let asked_ms = Number.NEGATIVE_INFINITY;
  let reads = 0;
  let shown = 0;

  async function refresh(): Promise<Brand> {
    asked_ms = performance.now();
    const read = ++reads;
    const found = await readBrand(database);
    // An earlier read may end later.
    if (read > shown) {
      shown = read;
      brand = found;
    }
    return found;
  }
  const refreshSoon = (): void => {
    refresh().catch(onError);
  };

  return {
    async start() {
      await database.listen(BRAND_CHANGED, refreshSoon);
      database.onListenGap(refreshSoon);
      onAnnounced(database, BRAND_CHANGED, refreshSoon);
      await refresh();
    },
    get() {
      if (performance.now() - asked_ms > FRESH_MS) refreshSoon();
      return brand;
    },
    refresh,
  };
}
