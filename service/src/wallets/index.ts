/** The wallets' door. */
export { termsHash, WALLETS_RETENTION } from './conversions.ts';
export { findOtherHalf } from './convert-rewards.ts';
export { businessIn, currencyIn, requireCurrency } from './filters.ts';
export {
  deletePriceFeed,
  listPriceFeeds,
  type PriceFeed,
  putPriceFeed,
  refreshPrices,
} from './price-feeds.ts';
export {
  listPrices,
  PRICE_SCALE,
  type Price,
  parsePrice,
  setPrice,
} from './prices.ts';
export { isFrozen, registerWallets } from './routes.ts';
export { BillRecord } from './schemas.ts';
export { toBillRecord } from './show-bills.ts';
