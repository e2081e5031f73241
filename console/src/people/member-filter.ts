/** Which members are shown, by the address of the page. */
import {
  KEYWORD_LENGTH_MAX,
  readDays,
  readOneOf,
  readWords,
  type Search,
} from '../lib/search-params.ts';

export interface MemberFilter {
  readonly type?: 'COMMUNITY' | undefined;
  readonly keyword?: string | undefined;
  readonly beginDate?: string | undefined;
  readonly endDate?: string | undefined;
}

export function readMemberFilter(search: Search): MemberFilter {
  const [beginDate, endDate] = readDays(search.beginDate, search.endDate);
  return {
    type: readOneOf(search.type, ['COMMUNITY']),
    keyword: readWords(search.keyword, KEYWORD_LENGTH_MAX),
    beginDate,
    endDate,
  };
}
