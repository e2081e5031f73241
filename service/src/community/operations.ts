/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const operations = describeOperations('community', {
  listMembers: {
    summary: 'List community members',
    description:
      'Direct referrals or the whole downline, newest first, with the exact total. At most 120 ' +
      'searches an hour for addresses in the whole downline.',
    failures: ['rate_limited'],
  },
  exportMembers: {
    summary: 'Export members',
    description:
      'The same filters, newest first, without paging; JSON, or CSV with `Accept: text/csv`. ' +
      'At most `EXPORT_CAP` rows: `X-Total-Count` is the number of members, and ' +
      '`X-Result-Capped: true` means that not all of them are included.',
    failures: ['rate_limited'],
  },
  setMemberNote: {
    summary: 'Set or clear the note on a direct referral',
    description: '404 for users who are not direct referrals of the caller.',
    failures: ['not_found'],
  },
  getCommunitySummary: {
    summary: 'Counts and performance by level, joins per day',
    description:
      'By level of the downline: how many members, and what they bought. By day in UTC: who ' +
      'joined.',
  },
});
