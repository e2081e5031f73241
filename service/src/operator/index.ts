/** What business servers call. */
export { registerAudit } from './audit.ts';
export { registerOperatorChains } from './chains.ts';
export { registerOverview } from './overview/index.ts';
export { POSTING_SOURCE } from './posting-events.ts';
export { registerPurchases } from './purchases.ts';
export { registerChainRoutes } from './register-chain-routes.ts';
export { registerClientRoutes } from './register-client-routes.ts';
export { registerOperatorMoney } from './register-money-routes.ts';
export { registerOperatorRules } from './rules.ts';
export { type Order, refundPackage, sellPackages } from './sell-packages.ts';
export { registerTrafficReports } from './traffic-reports.ts';
export { registerUnswept } from './unswept.ts';
export { registerUserDetails } from './user-details.ts';
export { registerOperatorUsers } from './users.ts';
export { verifyConversions } from './verify-conversions.ts';
export { verifySales } from './verify-sales.ts';
export { registerOperatorWebhooks } from './webhooks.ts';
