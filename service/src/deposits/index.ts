/** Deposits. */
export { ChainWatchers, createWatcherFor } from './chain-watchers.ts';
export { type Decision, UNKNOWN_CURRENCY } from './classify-deposit.ts';
export { configureNetwork, type NetworkSettings } from './configure-network.ts';
export { configureToken } from './configure-token.ts';
export { describeNetworks } from './describe-networks.ts';
export { issueAddress } from './issue-address.ts';
export { listUnswept, type Unswept } from './list-unswept.ts';
export { NetworkReport } from './network-report.ts';
export { listCurrencyNetworks, requireNetwork, requireNetworkInPath } from './networks.ts';
export {
  type DepositFilter,
  type DepositRow,
  listDepositsOfAll,
  parseDepositId,
  toDepositRecord,
} from './queries.ts';
export { refuseStoredPrivateKeys } from './refuse-private-keys.ts';
export { registerChainMetrics } from './report-chain.ts';
export { requestBackfill } from './request-backfill.ts';
export { haltByOperator, resumeChain } from './resume-chain.ts';
export { reviewDeposit } from './review-deposit.ts';
export { registerDeposits, requireDepositCurrency } from './routes.ts';
export { DEPOSIT_STATUSES, DepositRecord } from './schemas.ts';
export { createTokenVerifier, type VerifyToken } from './verify-token-contract.ts';
