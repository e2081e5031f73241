/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const operations = describeOperations('notifications', {
  listNotifications: {
    summary: 'List the notifications of the signed-in user',
    description:
      'What happened to the user, newest first, with the number of unread ones. Kept for 90 ' +
      'days, the newest 200. The event `notification.created` tells when there is a new one.',
  },
  readNotifications: {
    summary: 'Mark notifications as read',
    description: 'Marks all up to one, or single ones. Marking them again changes nothing.',
  },
  getNotificationPreferences: {
    summary: 'Show which notifications the user receives',
    description: 'Every kind with its channels, as chosen or by default.',
  },
  showUnsubscribePage: {
    summary: 'Page of the link that ends mails of notifications',
    description: 'Shows a button and changes nothing, because mail scanners open links.',
  },
  endNotificationMails: {
    summary: 'End mails of notifications',
    description:
      'By the token of a mail alone, for mail programs (RFC 8058), whose form is not read: turns ' +
      'the mails of all kinds off, also those that wait. Twice is harmless. Mails about the ' +
      'safety of the account stay.',
    failures: ['not_found'],
  },
  putNotificationPreferences: {
    summary: 'Choose which notifications the user receives',
    description:
      'Replaces all preferences. They hold for what happens from then on. Mails about the ' +
      'safety of the account (a changed password, a new factor, a requested payout) are always ' +
      'sent.',
  },
});
