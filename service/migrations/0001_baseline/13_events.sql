-- Events: the outbox, and webhooks that deliver it.

-- Transactional outbox: an event is written in the transaction that it reports. A job gives it a
-- position after the commit. Readers see events in the order of positions, so a reader of position
-- n has seen all events before it, whatever the order of commits.
--
-- A row is a single event (with data) or a range of postings: `transfers` transfers of one ledger
-- shard, beginning with number first_transfer. Transfer n of a shard has the id n * 16 + shard + 1.
-- Its event is read from the transfer, and it has two positions, one for each side (debit, credit).
create table event (
  id bigint generated always as identity constraint event_pkey primary key,
  -- The user concerned; null: the whole network, or a range of postings.
  user_id bigint,
  -- True: shown in every user's stream, not only to webhooks.
  is_broadcast boolean not null default false,
  type text not null
    constraint event_type_check check (type ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$'),
  -- A JSON object, delivered byte for byte. Null: a range of postings.
  data text,
  created_at timestamptz not null,
  -- Of a range: the last position.
  position bigint constraint event_position_key unique,
  first_transfer bigint,
  transfers int,
  shard smallint,
  constraint event_broadcast_check check (not (is_broadcast and user_id is not null)),
  constraint event_posting_check check (
    case when data is null
      then first_transfer >= 0 and transfers > 0 and shard >= 0 and shard < 16
        and user_id is null and not is_broadcast
      else first_transfer is null and transfers is null and shard is null end is true)
);
create index event_unpositioned_idx on event (id) where position is null;
create index event_user_idx on event (user_id, position) where user_id is not null;
create index event_broadcast_idx on event (position) where is_broadcast;
-- A transfer has one event at most.
create unique index event_posting_key on event (shard, first_transfer) where shard is not null;

-- One row: the last assigned position, and the last one deleted for its age.
create table event_counter (
  id int
    constraint event_counter_pkey primary key
    constraint event_counter_one check (id = 1),
  last_position bigint not null,
  deleted_position bigint not null
);
insert into event_counter (id, last_position, deleted_position) values (1, 0, 0);

-- An operator's endpoint that receives events.
create table webhook (
  id bigint generated always as identity constraint webhook_pkey primary key,
  url text not null,
  description text not null,
  -- Types to send, with `deposit.*` for all of a kind. Empty: all.
  event_types text[] not null,
  is_active boolean not null default true,
  -- Why the service disabled it.
  disabled_reason_code text,
  disabled_reason_values jsonb,
  -- Signs the messages. Encrypted with a key derived from the master key (AES-256-GCM).
  secret bytea not null,
  -- After a rotation both secrets sign until then.
  previous_secret bytea,
  previous_until timestamptz,
  -- Events up to this position have deliveries.
  position bigint not null,
  created_by text not null,
  created_at timestamptz not null
);

-- A message to a webhook.
create table webhook_delivery (
  id bigint generated always as identity constraint webhook_delivery_pkey primary key,
  webhook_id bigint not null
    constraint webhook_delivery_webhook_fkey references webhook (id) on delete cascade,
  -- Null: a test message.
  event_position bigint,
  type text not null,
  -- The signed body. A copy: a dead delivery outlives its event.
  body text not null,
  state text not null constraint webhook_delivery_state_check
    check (state in ('pending', 'delivered', 'dead')),
  -- Attempts since the delivery was last started, and before that.
  attempts int not null default 0,
  attempts_before int not null default 0,
  next_attempt_at timestamptz not null,
  -- HTTP status and error of the last attempt.
  last_status int,
  last_error_code text,
  last_error_values jsonb,
  delivered_at timestamptz,
  created_at timestamptz not null,
  -- An event has one delivery per webhook.
  constraint webhook_delivery_event_key unique (webhook_id, event_position)
);
create index webhook_delivery_due_idx on webhook_delivery (webhook_id, next_attempt_at)
  where state = 'pending';
create index webhook_delivery_list_idx on webhook_delivery (webhook_id, id desc);
-- Unfinished deliveries: counted and listed with each webhook.
create index webhook_delivery_undone_idx on webhook_delivery (webhook_id, state, id desc)
  where state <> 'delivered';
create index webhook_delivery_created_at_idx on webhook_delivery (created_at);
