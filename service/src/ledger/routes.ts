/** `GET /currencies`. */

import type { Db } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { operations } from './operations.ts';
import { listCurrencies } from './reference-data.ts';
import { CurrencyList } from './schemas.ts';

interface NetworksOfCurrency {
  readonly networks: readonly string[];
  readonly open: readonly string[];
  readonly names: Readonly<Record<string, string>>;
}

export interface LedgerRoutes {
  readonly db: Db;
  readonly rewardCurrency: string;
  /** Networks on which a currency can be deposited. */
  networksOf(db: Db): Promise<ReadonlyMap<string, NetworksOfCurrency>>;
}

export function registerLedger(
  app: HttpServer,
  { db, rewardCurrency, networksOf }: LedgerRoutes,
): void {
  app.get(
    '/currencies',
    {
      config: { access: 'open' },
      schema: { ...operations.listCurrencies, response: { 200: CurrencyList } },
    },
    async () => {
      const [networks, currencies] = await Promise.all([networksOf(db), listCurrencies(db)]);
      return currencies.map(({ code, scale }) => ({
        code,
        scale,
        is_reward_currency: code === rewardCurrency,
        networks: [...(networks.get(code)?.networks ?? [])],
        open_networks: [...(networks.get(code)?.open ?? [])],
        network_names: { ...networks.get(code)?.names },
      }));
    },
  );
}
