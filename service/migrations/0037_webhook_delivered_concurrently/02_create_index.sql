-- Webhooks: delivered messages past their time, without those that could not be delivered.
create index concurrently webhook_delivery_delivered_idx on webhook_delivery (created_at)
  where state = 'delivered';
