-- Webhooks: what a killed run has left of the index.
drop index concurrently if exists webhook_delivery_delivered_idx;
