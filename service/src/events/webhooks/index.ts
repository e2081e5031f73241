/** Webhooks: events for operators. */
export { createWebhookSender, WEBHOOK_RETENTION, type WebhookSender } from './deliver.ts';
export { DELIVERY_ERRORS } from './delivery-errors.ts';
export { fanOut } from './fan-out.ts';
export {
  createWebhook,
  deleteWebhook,
  redeliver,
  redeliverDead,
  rotateWebhookSecret,
  sendTestMessage,
  updateWebhook,
  type WebhookDeps,
} from './manage-webhooks.ts';
export {
  DELIVERY_STATES,
  type Delivery,
  findDelivery,
  findWebhook,
  listDeliveries,
  listWebhooks,
  type Webhook,
} from './queries.ts';
export { createWebhookRemoval, removeWebhooks } from './remove-webhooks.ts';
export {
  countDeliveries,
  measureOldestDelivery,
  registerWebhookMetrics,
} from './webhook-metrics.ts';
