/** The ledger's door. */
export { openAccounts } from './open-accounts.ts';
export { BATCH_MAX, type PostOptions, postTransfers } from './post-transfers.ts';
export { type Earning, type EarningFilter, readBalances, readEarnings, readEarningTotals } from './queries.ts';
export { ensureCurrency, findCurrency, listBusinesses, listCurrencies } from './reference.ts';
export { registerLedger } from './routes.ts';
export { installLedger } from './settings.ts';
export type { AccountRef, Balance, Business, Currency, HouseAccount, Posting, PostResult, UserWallet } from './types.ts';
