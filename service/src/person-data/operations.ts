/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const operations = describeOperations('account', {
  exportMe: {
    summary: 'Everything that is kept about the user',
    description:
      'A ZIP archive (GDPR Art. 15 and 20) of JSON Lines: `NAME.jsonl`, the JSON Schema of each ' +
      'in `schemas/`, and `manifest.json`, which also names what is left out and why. Needs a ' +
      'second factor that was verified in the last minutes, by the login or ' +
      '`/me/reauthenticate`; an account with an authenticator or passkey must have used it. The ' +
      'export is recorded in the security log, and the user gets a mail. At most 10 a day. The ' +
      'archive is sent while it is made: one that cannot be opened is incomplete.',
    failures: ['reauthentication_required', 'rate_limited'],
  },
});
