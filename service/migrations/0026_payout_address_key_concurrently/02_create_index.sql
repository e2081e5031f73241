-- Payouts: whether a payout to an address failed, of any user.
create index concurrently payout_address_network_key_idx on payout_address (network, address_key);
