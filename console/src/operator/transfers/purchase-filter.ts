/** Which purchase is shown, by the address of the page. */
import type { Search } from '../../lib/search-params.ts';

const NUMBER = /^[1-9]\d{0,15}$/;

export interface PurchaseFilter {
  readonly purchase?: string | undefined;
}

/** A number of the service, as text. */
export function readNumber(given: unknown): string | undefined {
  return typeof given === 'string' && NUMBER.test(given) ? given : undefined;
}

export const readPurchaseFilter = ({ purchase }: Search): PurchaseFilter => ({
  purchase: readNumber(purchase),
});
