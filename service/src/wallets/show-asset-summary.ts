import type { Db } from '../db/index.ts';
import { readBalances } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { requireCurrency } from './filters.ts';
import { listPrices, PRICE_SCALE, valueAt } from './prices.ts';
import type { AssetSummary, WalletOwner } from './schemas.ts';

/**
 * What a wallet is worth in one currency: each line rounded once, the total the sum of the lines
 * shown.
 */
export async function showAssetSummary(
  db: Db,
  clock: Clock,
  { userId, wallet }: WalletOwner,
  quoteCode: string,
): Promise<AssetSummary> {
  const quote = await requireCurrency(db, quoteCode, 'quoteCurrency');
  const now = clock.now();
  const [listed, balances] = await Promise.all([
    listPrices(db, quote.code),
    readBalances(db, userId, wallet),
  ]);
  const prices = new Map(listed.map((price) => [price.currency, price]));
  prices.set(quote.code, {
    currency: quote.code,
    quoteCurrency: quote.code,
    price: 10n ** BigInt(PRICE_SCALE),
    pricedAt: now,
    source: 'identity',
  });
  let total = 0n;
  const assets = balances.map(({ currency, scale, balance, hold }) => {
    const line = {
      currency,
      balance: exactAmount(balance, scale),
      hold: exactAmount(hold, scale),
    };
    const price = prices.get(currency);
    if (!price) return { ...line, price: null, priced_at: null, value: null };
    const value = valueAt(balance + hold, scale, price.price, quote.scale);
    total += value;
    return {
      ...line,
      price: exactAmount(price.price, PRICE_SCALE),
      priced_at: price.pricedAt.toISOString(),
      value: exactAmount(value, quote.scale),
    };
  });
  const isPartial = assets.some((asset) => asset.price === null);
  return {
    quote_currency: quote.code,
    total: exactAmount(total, quote.scale),
    ...(isPartial && { partial: true }),
    as_of: now.toISOString(),
    assets,
  };
}
