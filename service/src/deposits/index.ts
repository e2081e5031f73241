/** Deposits. */

export { probeChainNodes } from './chain-nodes.ts';
export { ChainWatchers, createWatcherFor } from './chain-watchers.ts';
export type { ChainNode, Payment } from './chains/chain.ts';
export type { EndpointPool } from './chains/endpoint-pool.ts';
export { RpcError } from './chains/json-rpc.ts';
export { type Decision, UNKNOWN_CURRENCY } from './classify-deposit.ts';
export { configureNetwork, type NetworkSettings } from './configure-network.ts';
export { configureToken } from './configure-token.ts';
export { type BlockVote, hasQuorum, queryBlockHashes } from './cross-check-blocks.ts';
export { describeNetworks, listStatuses } from './describe-networks.ts';
export {
  checkImportedAddress,
  importAddresses,
  SINGLE_ADDRESSES,
} from './import-addresses.ts';
export { issueAddress } from './issue-address.ts';
export { listUnswept, type Unswept } from './list-unswept.ts';
export { NetworkReport } from './network-report.ts';
export {
  findNetwork,
  findToken,
  listCurrencyNetworks,
  listNetworks,
  listTokens,
  type Network,
  requireNetwork,
  requireNetworkInPath,
  type Token,
} from './networks.ts';
export { parseAddress, showContract } from './parse-address.ts';
export { explorerUrl } from './payment-request.ts';
export {
  countOnHold,
  type DepositFilter,
  type DepositRow,
  listDepositsOfAll,
  toDepositRecord,
} from './queries.ts';
export { refuseStoredPrivateKeys } from './refuse-private-keys.ts';
export { registerChainMetrics } from './report-chain.ts';
export { requestBackfill } from './request-backfill.ts';
export { haltByOperator, resumeChain } from './resume-chain.ts';
export { reviewDeposit } from './review-deposit.ts';
export { registerDeposits, requireDepositCurrency } from './routes.ts';
export { runOnChain } from './run-on-chain.ts';
export { DEPOSIT_STATUSES, DepositRecord } from './schemas.ts';
export { createTokenVerifier, type VerifyToken } from './verify-token-contract.ts';
