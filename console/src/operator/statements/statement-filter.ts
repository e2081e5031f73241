/** Which account of the house is shown, and how, by the address of the page. */
import { readDays, readOneOf, readWords, type Search } from '../../lib/search-params.ts';

/** As the service limits them. */
const HOUSE_LENGTH_MAX = 32;
const CURRENCY_LENGTH_MAX = 64;
/** The service merges no deeper. */
export const PAGES_MAX = 500;

export interface StatementFilter {
  readonly house?: string | undefined;
  readonly currency?: string | undefined;
  readonly by?: 'day' | undefined;
  readonly page?: string | undefined;
  readonly beginTime?: string | undefined;
  readonly endTime?: string | undefined;
}

function readPage(given: unknown): string | undefined {
  const page = typeof given === 'string' && /^[1-9]\d{0,3}$/.test(given) ? Number(given) : 1;
  return page > 1 && page <= PAGES_MAX ? String(page) : undefined;
}

export function readStatementFilter(search: Search): StatementFilter {
  const [beginTime, endTime] = readDays(search.beginTime, search.endTime);
  return {
    house: readWords(search.house, HOUSE_LENGTH_MAX),
    currency: readWords(search.currency, CURRENCY_LENGTH_MAX),
    by: readOneOf(search.by, ['day']),
    page: readPage(search.page),
    beginTime,
    endTime,
  };
}
