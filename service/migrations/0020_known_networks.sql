-- Identity: networks that users have signed in from.

-- A network that users sign in from is not asked for a challenge only because others are attacked.
create table known_network (
  -- Keyed hash of the /24 of an IPv4 or the /48 of an IPv6 address.
  network_hash bytea not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  constraint known_network_pkey primary key (network_hash)
);
-- For the clean-up of networks without sign-ins.
create index known_network_last_seen_idx on known_network (last_seen);
