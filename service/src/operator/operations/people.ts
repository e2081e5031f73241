/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-people', {
  listUsers: {
    summary: 'Find people',
    description: 'By address, nickname, status and number, newest first.',
  },
  getUser: {
    summary: 'One person',
    description:
      'The same record as in the list, with the second factors, since when an operator has ' +
      'frozen the money, and what the person may do as an operator.',
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
  listUserSessions: {
    summary: 'Sessions of a person',
    description: 'Live sessions, with the network address and user agent of each sign-in.',
  },
  endUserSessions: {
    summary: 'End all sessions of a person',
    description:
      'Ends all sessions and live connections of the person, and revokes what applications got. ' +
      'The person can sign in again. Harmless when repeated.',
  },
  resetUserSecondFactors: {
    summary: 'Remove the second factors of a person who has lost them',
    description:
      'Removes authenticator, passkeys and recovery codes; EMAIL is the second factor then. Ends ' +
      'all sessions, and conversions and withdrawals wait for 24 hours. The person gets a mail. ' +
      'The password stays. Accounts of operators are refused. Harmless when repeated.',
    failures: ['operator_account'],
  },
  freezeUserMoney: {
    summary: 'Freeze the money of a person',
    description:
      'Conversions and withdrawals of the person are refused until `release-money`, and payouts ' +
      'that were not sent go back to review. Rewards and deposits still arrive. The person gets ' +
      'a mail. Harmless when repeated.',
  },
  releaseUserMoney: {
    summary: 'Release the money of a person',
    description:
      'Ends `freeze-money`. A freeze after a reset by email alone ends by itself. The person ' +
      'gets a mail. Harmless when repeated.',
  },
  listUserSecurityEvents: {
    summary: 'Security log of a person',
    description: 'What happened to the account, newest first.',
  },
  getUserTeam: {
    summary: 'Referrer and referrals of a person',
    description: 'Who referred the person, and how many people are below them, by level.',
  },
  listUserReferrals: {
    summary: 'Direct referrals of a person',
    description:
      'Who was referred by the person, newest first, each with the number of people below them: ' +
      'the referral tree is read level by level.',
  },
  listUserWallets: {
    summary: 'Wallets of a person',
    description: 'Balances of all wallets, by currency. Bills: `GET /operator/statements`.',
  },
  listUserNotes: {
    summary: 'Notes about a person',
    description: 'Notes that operators wrote for each other, newest first.',
  },
  addUserNote: {
    summary: 'Write a note about a person',
    description: 'Notes are never changed. The archive that the person can ask for has them.',
  },
});
