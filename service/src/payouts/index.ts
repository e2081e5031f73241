/** Payouts: money that leaves to addresses of users. */
import type { HttpServer } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import type { PayoutsDeps } from './context.ts';
import { installDecisions } from './decisions.ts';
import { followPayouts } from './follow-payouts.ts';
import { registerOperatorRoutes } from './operator-routes.ts';
import { reviewPayouts } from './review-payouts.ts';
import { registerPersonRoutes } from './routes.ts';
import { registerSignerRoutes } from './signer-routes.ts';

export { type BookedFee, bookNetworkFee } from './book-network-fee.ts';
export type { PayoutsDeps } from './context.ts';
export { installDecisions, verifyDecisions } from './decisions.ts';
export {
  readWaitingPayouts,
  registerPayoutMetrics,
} from './payout-metrics.ts';
export { isHoldOfPayout } from './queries.ts';
export { type HotWallet, readHotWallets, verifyWallets } from './verify-wallets.ts';

const REVIEW_EVERY_MS = 500;
const FOLLOW_EVERY_MS = 1000;

/** Registers the routes; returns the jobs. */
export function registerPayouts(app: HttpServer, deps: PayoutsDeps): Job[] {
  installDecisions(deps.database, deps.masterKey);
  registerPersonRoutes(app, deps);
  registerOperatorRoutes(app, deps);
  registerSignerRoutes(app, deps);
  return [
    { name: 'review-payouts', every_ms: REVIEW_EVERY_MS, run: () => reviewPayouts(deps) },
    { name: 'follow-payouts', every_ms: FOLLOW_EVERY_MS, run: () => followPayouts(deps) },
  ];
}
