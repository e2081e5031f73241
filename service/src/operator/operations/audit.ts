/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-audit', {
  listAuditEntries: {
    summary: 'Audit log, newest first',
    description:
      'What operators, clients, commands and the service by itself changed, and statements that ' +
      'were run on the database by hand. Postings of programs are in the ledger only; one that a ' +
      'person makes has an entry with whose money it is, how much, the transfer and why. A page ' +
      'looks through 2,000 entries at most: with several filters, or `text`, it may hold ' +
      'fewer than `size`; follow `next` until it is absent. Entries are kept for ever, and ' +
      '`edge-account verify` finds one that was altered, removed or inserted.',
  },
  exportAuditEntries: {
    summary: 'Audit log as a file',
    description:
      'Every entry of the filter, newest first, as a JSON array, or as CSV by `Accept: text/csv`.',
  },
});
