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
  putNotificationPreferences: {
    summary: 'Choose which notifications the user receives',
    description:
      'Replaces all preferences. They hold for what happens from then on. Mails about the ' +
      'safety of the account (a changed password, a new factor, a requested payout) are always ' +
      'sent.',
  },
});
