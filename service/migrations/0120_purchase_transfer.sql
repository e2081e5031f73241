-- Which transfer paid for a purchase, and which one paid it back: `edge-account verify` compares them.
alter table package_purchase add column transfer_id bigint constraint package_purchase_transfer_key unique;
alter table package_refund add column transfer_id bigint constraint package_refund_transfer_key unique;
update package_purchase p set transfer_id = t.id from transfer t where t.idempotency_key = 'purchase/' || p.id;
update package_refund r set transfer_id = t.id from transfer t where t.idempotency_key = 'purchase-refund/' || r.id;
