/** Everything that operators do about networks: settings, currencies, deposits. */
import type { HttpServer } from '../http/index.ts';
import { registerOperatorChains } from './chains.ts';
import type { OperatorChainsDeps } from './configure-chains.ts';
import { registerOperatorCurrencies } from './currencies.ts';
import { registerOperatorDeposits } from './deposits.ts';
import { registerUnswept } from './unswept.ts';

export function registerChainRoutes(app: HttpServer, deps: OperatorChainsDeps): void {
  registerOperatorChains(app, deps);
  registerOperatorCurrencies(app, deps);
  registerOperatorDeposits(app, deps);
  registerUnswept(app, deps);
}
