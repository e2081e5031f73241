/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-webhooks', {
  createWebhook: {
    summary: 'Make a webhook',
    description:
      'Adds an HTTPS address that receives the named types of events. The answer is the only ' +
      'one that holds the secret, which signs each message (Standard Webhooks).',
    failures: ['webhook_limit'],
  },
  listWebhooks: {
    summary: 'List the webhooks',
    description:
      'All webhooks, with how many of their messages wait or were given up. Secrets are not ' +
      'shown again.',
  },
  getWebhook: {
    summary: 'One webhook',
    description: 'The webhook without its secret.',
  },
  updateWebhook: {
    summary: 'Change a webhook',
    description:
      'Members that are left out stay as they are. An inactive webhook receives what happened ' +
      'meanwhile once it is active again, as far as events are kept.',
  },
  deleteWebhook: {
    summary: 'Delete a webhook with its messages',
    description: 'Its messages that are not delivered yet are deleted, too.',
  },
  rotateWebhookSecret: {
    summary: 'Make a new secret; for 24 hours both sign',
    description:
      'Answers the new secret once. For 24 hours messages carry a signature of each of the ' +
      'two, so that receivers can change over.',
  },
  testWebhook: {
    summary: 'Send a test message',
    description:
      'Queues a message that is delivered as any other, so that a receiver can be tried.',
  },
  listWebhookDeliveries: {
    summary: 'What became of the messages, newest first',
    description:
      'One record for each message: its state, its attempts, and what the receiver answered ' +
      'last.',
  },
  getWebhookDelivery: {
    summary: 'One message with its content',
    description: 'The record of the delivery, and the body that is posted to the receiver.',
  },
  redeliverMessage: {
    summary: 'Send a message again',
    description:
      'Queues one message again, whatever its state is. It keeps its `webhook-id`, by which ' +
      'receivers recognise repetitions.',
  },
  redeliverDeadLetters: {
    summary: 'Send all dead letters again',
    description:
      'Queues again every message that was given up and that was first queued at or after ' +
      '`since`.',
  },
});
