/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const operations = describeOperations('development', {
  listDevelopmentMail: {
    summary: 'Development mailbox',
    description:
      'The newest 100 mails. Only without a mail server and from the same machine; else 404.',
    failures: ['not_found'],
  },
});
