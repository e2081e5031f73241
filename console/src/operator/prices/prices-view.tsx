import { useQuery } from '@tanstack/react-query';
import { Together } from '../together.tsx';
import { Feeds } from './feeds.tsx';
import { Prices } from './prices.tsx';
import { feedsQuery, pricesQuery } from './queries.ts';

/** Prices, and where they come from. */
export function PricesView() {
  const prices = useQuery(pricesQuery);
  const feeds = useQuery(feedsQuery);
  return (
    <Together queries={[prices, feeds]}>
      <Prices />
      <Feeds />
    </Together>
  );
}
