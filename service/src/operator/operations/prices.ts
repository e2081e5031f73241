/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-prices', {
  setPrice: {
    summary: 'Set a price',
    description: 'An older `priced_at` than the one known changes nothing.',
  },
  listPrices: {
    summary: 'Prices with their sources',
    description: 'The latest price of each pair, who set it, and when it was true.',
  },
  putPriceFeed: {
    summary: 'Add or change a price feed',
    description:
      'An HTTPS address that is read at an interval, and where in its JSON the price stands.',
  },
  deletePriceFeed: {
    summary: 'Remove a price feed',
    description: 'Prices that it brought stay. Answers the feeds that remain.',
    failures: ['not_found'],
  },
  listPriceFeeds: {
    summary: 'Price feeds and how they fare',
    description: 'Each feed with the time of its last price and the error of its last reading.',
  },
});
