-- Prices with their source and time, feeds that bring them, and conversions of rewards.
create table price (
  currency_id smallint not null constraint price_currency_fkey references currency (id),
  quote_currency_id smallint not null constraint price_quote_currency_fkey references currency (id),
  -- Units of the quote currency for one unit of the currency.
  price numeric(78,30) not null constraint price_price_check check (price > 0),
  priced_at timestamptz not null,
  -- `operator:CLIENT` or `feed:NAME`
  source text not null,
  updated_at timestamptz not null,
  constraint price_pkey primary key (currency_id, quote_currency_id),
  constraint price_pair_check check (currency_id <> quote_currency_id)
);

create table price_feed (
  name text constraint price_feed_pkey primary key,
  url text not null,
  -- JSON pointer (RFC 6901) to the price in the answer.
  pointer text not null,
  currency_id smallint not null constraint price_feed_currency_fkey references currency (id),
  quote_currency_id smallint not null constraint price_feed_quote_currency_fkey references currency (id),
  every_s int not null constraint price_feed_every_check check (every_s >= 10),
  next_at timestamptz not null,
  last_success_at timestamptz,
  last_error text,
  created_at timestamptz not null
);
create index price_feed_next_at_idx on price_feed (next_at);

-- An offer to convert rewards; taken at most once, and only while it lives.
create table conversion (
  id text constraint conversion_pkey primary key,
  user_id bigint not null constraint conversion_user_fkey references app_user (id),
  currency_id smallint not null constraint conversion_currency_fkey references currency (id),
  to_currency_id smallint not null constraint conversion_to_currency_fkey references currency (id),
  amount numeric(78,0) not null constraint conversion_amount_check check (amount > 0),
  to_amount numeric(78,0) not null constraint conversion_to_amount_check check (to_amount > 0),
  price numeric(78,30) not null,
  priced_at timestamptz not null,
  source text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  converted_at timestamptz
);
create index conversion_user_idx on conversion (user_id, created_at desc);
