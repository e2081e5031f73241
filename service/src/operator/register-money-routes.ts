/** Everything that operators do with money through the ledger. */
import type { Database, Db } from '../db/index.ts';
import type { HttpServer, Outgoing } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { registerLedgerExport } from './ledger-export.ts';
import { registerHoldList } from './list-holds.ts';
import { registerTransferList } from './list-transfers.ts';
import { registerPriceFeeds } from './price-feeds.ts';
import { registerOperatorPrices } from './prices.ts';
import { registerReversals } from './reversals.ts';
import { registerOperatorRewards } from './rewards.ts';
import { registerHouseDays } from './show-house-days.ts';
import { registerShowTransfer } from './show-transfer.ts';
import { registerOperatorStatements } from './statements.ts';
import { registerOperatorTransfers } from './transfers.ts';
import { registerOperatorWallets } from './wallets.ts';
import { registerOperatorWithdrawals } from './withdrawals.ts';

export interface OperatorMoneyDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly outgoing: Outgoing;
  /** True while the person may neither convert nor withdraw. */
  isMoneyFrozen(db: Db, clock: Clock, userId: number): Promise<boolean>;
}

export function registerOperatorMoney(app: HttpServer, deps: OperatorMoneyDeps): void {
  registerOperatorRewards(app, deps);
  registerOperatorTransfers(app, deps);
  registerReversals(app, deps);
  registerTransferList(app, deps);
  registerShowTransfer(app, deps);
  registerHoldList(app, deps);
  registerOperatorWithdrawals(app, deps);
  registerOperatorPrices(app, deps);
  registerPriceFeeds(app, deps);
  registerOperatorStatements(app, deps);
  registerHouseDays(app, deps);
  registerOperatorWallets(app, deps);
  registerLedgerExport(app, deps);
}
