-- Transactional outbox: an event is written by the transaction that it tells of. Its position, the order in which
-- readers see it, is given after the commit, so that a reader who has seen position n has seen all before it: a
-- transaction that commits late gets a late position, whatever its id.
create table event (
  id bigint generated always as identity constraint event_pkey primary key,
  -- The person whom it is about; null: of the whole network.
  user_id bigint,
  -- True: every person's stream shows it, not only webhooks.
  is_broadcast boolean not null default false,
  type text not null constraint event_type_check check (type ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$'),
  -- A JSON object, kept as it was written: what is delivered is this text, byte for byte.
  data text not null,
  created_at timestamptz not null,
  position bigint constraint event_position_key unique,
  constraint event_broadcast_check check (not (is_broadcast and user_id is not null))
);
create index event_unpositioned_idx on event (id) where position is null;
create index event_user_idx on event (user_id, position) where user_id is not null;
create index event_broadcast_idx on event (position) where is_broadcast;
create index event_created_at_idx on event (created_at);

-- One row: the last position given, and the last one that was deleted for its age.
create table event_counter (
  id int constraint event_counter_pkey primary key constraint event_counter_one check (id = 1),
  last_position bigint not null,
  deleted_position bigint not null
);
insert into event_counter (id, last_position, deleted_position) values (1, 0, 0);
