/** Which deposits are shown, by the address of the page. */
import { readDays, readWords, type Search } from '../lib/search-params.ts';

const CODE_LENGTH_MAX = 32;

export interface DepositFilter {
  readonly currency?: string | undefined;
  readonly beginTime?: string | undefined;
  readonly endTime?: string | undefined;
}

export function readDepositFilter(search: Search): DepositFilter {
  const [beginTime, endTime] = readDays(search.beginTime, search.endTime);
  return { currency: readWords(search.currency, CODE_LENGTH_MAX), beginTime, endTime };
}
