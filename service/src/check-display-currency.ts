import { ConfigError } from './config.ts';
import type { Database } from './db/index.ts';
import { findCurrency } from './ledger/index.ts';

/** @throws ConfigError where it does not exist: no wallet would have a total */
export async function checkDisplayCurrency(database: Database, code: string): Promise<void> {
  if (await findCurrency(database, code)) return;
  throw new ConfigError([
    `DISPLAY_CURRENCY ${code} does not exist: add it with 'edge-account ledger currency ${code} ` +
      "DECIMALS'",
  ]);
}
