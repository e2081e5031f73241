/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-people', {
  listUsers: {
    summary: 'Find people',
    description: 'By address, nickname and status, newest first.',
  },
  getUser: {
    summary: 'One person',
    description: 'The same record as in the list, with the second factors.',
  },
  setUserGroups: {
    summary: 'Assign groups to a person',
    description:
      'Replaces the groups of the person. Applications that have the scope `groups` see them in ' +
      'tokens and userinfo from the next token on. Names that begin alike mean nothing in common.',
  },
  disableUser: {
    summary: 'Keep a person out and end all their sessions',
    description:
      'Ends all sessions and live connections of the person, who cannot sign in until enabled. ' +
      'Money and history stay. Harmless when repeated.',
  },
  enableUser: {
    summary: 'Let a disabled person in again',
    description:
      'The person can sign in again, with the password and factors as they were. Harmless when ' +
      'repeated.',
  },
});
