-- Payouts: what a killed run has left of the index.
drop index concurrently if exists payout_address_network_key_idx;
