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
  listPushSubscriptions: {
    summary: 'List the browsers that get notifications',
    description:
      'The browsers of the signed-in user to which notifications are pushed (Web Push, ' +
      'RFC 8030), and the key of this installation that a browser subscribes with.',
  },
  addPushSubscription: {
    summary: 'Turn notifications on in a browser',
    description:
      'Takes what `PushManager.subscribe()` answered. The same address again is the same ' +
      'browser; it belongs to the user who turned it on last. It ends with the session, unless ' +
      'that expires by itself.',
  },
  confirmPushSubscription: {
    summary: 'Confirm a browser that gets notifications',
    description:
      'In a later session of the same browser, which it belongs to from then on, with its ' +
      'address and language of now. A browser that was cut off meanwhile is not found.',
    failures: ['not_found'],
  },
  deletePushSubscription: {
    summary: 'Turn notifications off in a browser',
    description: 'Nothing more is sent there, also what waits.',
    failures: ['not_found'],
  },
  renewPushSubscription: {
    summary: 'Take the new address of a browser',
    description:
      'For the service worker, when the push service has replaced the address of its browser and ' +
      'no user is signed in: the token of the subscription is enough. Replaces an address, and ' +
      'turns nothing on.',
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
