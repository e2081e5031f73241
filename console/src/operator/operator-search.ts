/** What the address of the operators' pages keeps. */
import {
  KEYWORD_LENGTH_MAX,
  readNumber,
  readOneOf,
  readWords,
  type Search,
} from '../lib/search-params.ts';
import { type AuditFilter, readAuditFilter } from './audit/audit-filter.ts';
import { type NetworkDeviceFilter, readNetworkDeviceFilter } from './devices/device-filter.ts';
import { readStatementFilter, type StatementFilter } from './statements/statement-filter.ts';
import { type PurchaseFilter, readPurchaseFilter } from './transfers/purchase-filter.ts';

const VIEW_LENGTH_MAX = 32;
export const USER_STATUSES = ['active', 'disabled', 'closed'] as const;

export interface OperatorSearch
  extends AuditFilter,
    NetworkDeviceFilter,
    StatementFilter,
    PurchaseFilter {
  readonly view?: string | undefined;
  readonly keyword?: string | undefined;
  readonly person?: string | undefined;
  /** The payout that is open. */
  readonly payout?: string | undefined;
  /** Of the people who are listed; `status` is that of devices. */
  readonly account?: (typeof USER_STATUSES)[number] | undefined;
  /** Settlements that are not finished. */
  readonly only?: 'unfinished' | undefined;
}

/** Reads it; what has another form is left out. */
export function readOperatorSearch(search: Search): OperatorSearch {
  const { view, keyword, person } = search;
  return {
    person: readNumber(person),
    payout: readNumber(search.payout),
    account: readOneOf(search.account, USER_STATUSES),
    view: readWords(view, VIEW_LENGTH_MAX),
    keyword: readWords(keyword, KEYWORD_LENGTH_MAX),
    ...readAuditFilter(search),
    ...readNetworkDeviceFilter(search),
    ...readStatementFilter(search),
    ...readPurchaseFilter(search),
    only: readOneOf(search.only, ['unfinished']),
  };
}
