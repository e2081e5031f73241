-- Payouts: whether a payout to an address failed, whoever entered it.
create index concurrently payout_address_network_key_idx on payout_address (network, address_key);
