/** Which bills are shown, by the address of the page. */
import { readDays, readOneOf, readWords, type Search } from '../lib/search-params.ts';

export const BUSINESS_IDS = [
  'reward',
  'referral_reward',
  'deposit',
  'deposit_reversal',
  'withdrawal',
  'withdrawal_refund',
  'withdrawal_fee',
  'package_purchase',
  'package_refund',
  'conversion_in',
  'conversion_out',
  'adjustment',
] as const;

const CODE_LENGTH_MAX = 32;

/** As the service limits it. */
export const SEARCH_LENGTH_MAX = 100;

export interface BillFilter {
  readonly currency?: string | undefined;
  readonly amountDirection?: '1' | '2' | undefined;
  readonly businessId?: string | undefined;
  readonly beginTime?: string | undefined;
  readonly endTime?: string | undefined;
}

export function readBillFilter(search: Search): BillFilter {
  const [beginTime, endTime] = readDays(search.beginTime, search.endTime);
  return {
    currency: readWords(search.currency, CODE_LENGTH_MAX),
    amountDirection: readOneOf(search.amountDirection, ['1', '2']),
    businessId: readOneOf(search.businessId, BUSINESS_IDS),
    beginTime,
    endTime,
  };
}
