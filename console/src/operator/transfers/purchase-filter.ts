/** Which purchase is shown, by the address of the page. */
import { readNumber, type Search } from '../../lib/search-params.ts';

export interface PurchaseFilter {
  readonly purchase?: string | undefined;
}

export const readPurchaseFilter = ({ purchase }: Search): PurchaseFilter => ({
  purchase: readNumber(purchase),
});
