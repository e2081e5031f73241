-- Prices: current prices, the feeds that update them, and conversions between currencies.

-- The current price of a currency.
create table price (
  currency_id smallint not null constraint price_currency_fkey references currency (id),
  quote_currency_id smallint not null
    constraint price_quote_currency_fkey references currency (id),
  -- Whole units of the quote currency for one whole unit of the currency.
  price numeric(78,30) not null constraint price_price_check check (price > 0),
  -- The time of the price, as stated by its source.
  priced_at timestamptz not null,
  -- operator:<client_id> or feed:<name>
  source text not null,
  updated_at timestamptz not null,
  constraint price_pkey primary key (currency_id, quote_currency_id),
  constraint price_pair_check check (currency_id <> quote_currency_id)
);

-- An HTTP endpoint that is polled for a price.
create table price_feed (
  name text constraint price_feed_pkey primary key,
  url text not null,
  -- JSON pointer (RFC 6901) to the price in the response.
  pointer text not null,
  currency_id smallint not null constraint price_feed_currency_fkey references currency (id),
  quote_currency_id smallint not null
    constraint price_feed_quote_currency_fkey references currency (id),
  -- Interval in seconds.
  every_s int not null constraint price_feed_every_check check (every_s >= 10),
  next_at timestamptz not null,
  last_success_at timestamptz,
  last_error text,
  created_at timestamptz not null
);
create index price_feed_next_at_idx on price_feed (next_at);

-- A quote: an offer to convert an amount at a price. It can be accepted once, before it expires.
create table conversion (
  id text constraint conversion_pkey primary key,
  user_id bigint not null constraint conversion_user_fkey references app_user (id),
  currency_id smallint not null constraint conversion_currency_fkey references currency (id),
  to_currency_id smallint not null
    constraint conversion_to_currency_fkey references currency (id),
  amount numeric(78,0) not null constraint conversion_amount_check check (amount > 0),
  to_amount numeric(78,0) not null constraint conversion_to_amount_check check (to_amount > 0),
  -- Price, time and source, as in `price` when the quote was made.
  price numeric(78,30) not null,
  priced_at timestamptz not null,
  source text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Null: not accepted.
  converted_at timestamptz,
  -- Key of the request that accepted it: a repeated request gets the same response.
  idempotency_key text
);
create index conversion_user_idx on conversion (user_id, created_at desc);
create unique index conversion_key_idx on conversion (user_id, idempotency_key)
  where idempotency_key is not null;
-- For the clean-up of quotes that were not accepted.
create index conversion_untaken_idx on conversion (expires_at) where converted_at is null;
