-- The chain's own coin, where it is known: another currency cannot be configured as it, or litecoins would be credited as ETH.
alter table network add column coin text constraint network_coin_check check (coin ~ '^[A-Z][A-Z0-9]{1,15}$');
update network set coin = known.coin from (values
  ('ETHEREUM', 'ETH'), ('ARBITRUM', 'ETH'), ('OPTIMISM', 'ETH'), ('BASE', 'ETH'), ('POLYGON', 'POL'), ('BSC', 'BNB'), ('BITCOIN', 'BTC'), ('LITECOIN', 'LTC')
) as known (code, coin) where network.code = known.code;

-- Addresses of a retired wallet stay watched, but are no longer given out: people get one of the network's present wallet.
-- Without it everyone keeps the address they have, whatever public key comes later.
alter table deposit_wallet add column retired_at timestamptz;
