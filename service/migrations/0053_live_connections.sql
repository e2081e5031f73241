-- Which process holds which live connection, so that limits and replacements hold across nodes. Unlogged: after a crash
-- of the database every process finds itself unknown and publishes what it holds again.
create unlogged table connection_node (
  node uuid constraint connection_node_pkey primary key,
  -- A process that has not renewed its lease by then is gone, and its connections with it.
  alive_until timestamptz not null
);
create unlogged table live_connection (
  device_id bigint constraint live_connection_pkey primary key,
  user_id bigint not null,
  address text not null,
  node uuid not null,
  opened_at timestamptz not null
);
create index live_connection_user_idx on live_connection (user_id);
create index live_connection_address_idx on live_connection (address);
create index live_connection_node_idx on live_connection (node);
