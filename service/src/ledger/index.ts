/** The ledger's door. */

export { archivePeriods } from './archive/archive-periods.ts';
export { registerArchiveMetrics } from './archive/archived-months.ts';
export { LedgerDisagrees } from './archive/read-batches.ts';
export { type ArchiveReport, ArchiveUnreadable, verifyArchives } from './archive/verify-archive.ts';
export { type Interval, readBalanceChanges } from './balances-at.ts';
export type { Bill, BillFilter } from './bill-mapping.ts';
export { cancelHold } from './cancel-hold.ts';
export { closeAccountsOf, lockAccountsOf } from './close-accounts.ts';
export { expireHolds } from './expire-holds.ts';
export { type FoundTransfer, findTransfer } from './find-transfer.ts';
export { findHold, type Hold, type HoldResult, listHolds } from './holds.ts';
export { keepHouseBalances } from './house-balance-days.ts';
export { MERGED_MAX, readHouseStatement } from './house-statements.ts';
export { createSealKey, installLedger } from './ledger-context.ts';
export { createLedgerJobs } from './ledger-jobs.ts';
export { listLedgerKeys } from './ledger-keys.ts';
export { type HoldPlace, listOpenHolds } from './list-open-holds.ts';
export { listPlacements } from './list-placements.ts';
export { listTransfers, type TransferFilter, type TransferPlaces } from './list-transfers.ts';
export { measureGap } from './measure-gap.ts';
export { openAccounts } from './open-accounts.ts';
export {
  type BroughtEntry,
  ensureOpeningBalance,
  OPENING_BALANCE,
  openBroughtAccounts,
  postBroughtEntries,
} from './opening-balances.ts';
export {
  entriesAfter,
  entriesOfWallets,
  TRANSFER_OF_ENTRY,
  transferById,
} from './packed-entries.ts';
export { placeHold } from './place-hold.ts';
export { BATCH_MAX } from './post-batch.ts';
export { postTransfers } from './post-transfers.ts';
export {
  isOverdrawn,
  readBalances,
  readEarningTotals,
  readEventTimes,
  readWalletEarnings,
} from './queries.ts';
export { readBills, streamBills } from './read-bills.ts';
export { readHouseDays } from './read-house-days.ts';
export { readPaidDays } from './read-paid-days.ts';
export {
  findLastEntriesBefore,
  type PostedTransfer,
  placeInShard,
  readEntriesAfter,
  readPostings,
} from './read-postings.ts';
export {
  ensureBusiness,
  ensureCurrency,
  ensureWalletKind,
  findCurrency,
  listCurrencies,
  listWalletKinds,
  type ReferenceData,
  referenceOf,
  WALLET_CODE,
} from './reference-data.ts';
export { registerRemovalMetrics } from './removal/next-month.ts';
export { removeMonths } from './removal/remove-months.ts';
export {
  findTransferNamed,
  listUndone,
  type ReverseTransfer,
  readTransferName,
  reverseTransfers,
} from './reverse-transfer.ts';
export { registerLedger } from './routes.ts';
export { searchBills } from './search-bills.ts';
export { settleHold } from './settle-hold.ts';
export {
  isSignedByLedger,
  listHeads,
  readShards,
  type SignedHead,
  type SignedText,
  signDailyHead,
  signHead,
  signText,
} from './signed-heads.ts';
export {
  readHouseBalances,
  readStatement,
  type Statement,
} from './statements.ts';
export type {
  AccountRef,
  Balance,
  Currency,
  Posting,
  PostResult,
  RefusedPosting,
  RequestKey,
  TransactionType,
  UserWallet,
  WalletKind,
} from './types.ts';
export { sealPlace } from './verify/verified-place.ts';
export { type LedgerReport, verifyLedger } from './verify/verify-ledger.ts';
export {
  verifyLedgerSinceHead,
  verifyLedgerSinceVerification,
} from './verify/verify-since-head.ts';
export { idInShard, SHARDS } from './wallet-ids.ts';
export {
  readWalletStatement,
  type StatementChange,
  type WalletStatement,
} from './wallet-statement.ts';
export {
  refuseRequest,
  toFailure,
  toRefusedPosting,
  withIdempotencyKey,
} from './with-idempotency-key.ts';
export { writeJournal } from './write-journal.ts';
