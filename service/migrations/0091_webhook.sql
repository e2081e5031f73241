-- Operators' webhooks: where events go, and each delivery with its fate.
create table webhook (
  id bigint generated always as identity constraint webhook_pkey primary key,
  url text not null,
  description text not null,
  -- Types that are sent, `deposit.*` for all of a kind; none: all.
  event_types text[] not null,
  is_active boolean not null default true,
  -- Why the service itself turned it off.
  disabled_reason text,
  -- AES-256-GCM under a key of the master key: it signs what is sent.
  secret bytea not null,
  -- After a rotation both sign until then.
  previous_secret bytea,
  previous_until timestamptz,
  -- Events up to this position were turned into deliveries.
  position bigint not null,
  created_by text not null,
  created_at timestamptz not null
);

create table webhook_delivery (
  id bigint generated always as identity constraint webhook_delivery_pkey primary key,
  webhook_id bigint not null constraint webhook_delivery_webhook_fkey references webhook (id) on delete cascade,
  -- Null: a test sent by hand.
  event_position bigint,
  type text not null,
  -- The body as it is signed and sent; kept here, because a dead letter outlives its event.
  body text not null,
  state text not null constraint webhook_delivery_state_check check (state in ('pending', 'delivered', 'dead')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  last_status int,
  last_error text,
  delivered_at timestamptz,
  created_at timestamptz not null,
  -- An event becomes one delivery per webhook, whatever is killed in between.
  constraint webhook_delivery_event_key unique (webhook_id, event_position)
);
create index webhook_delivery_due_idx on webhook_delivery (webhook_id, next_attempt_at) where state = 'pending';
create index webhook_delivery_list_idx on webhook_delivery (webhook_id, id desc);
create index webhook_delivery_created_at_idx on webhook_delivery (created_at);
