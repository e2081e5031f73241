-- Support: what operators see and note about users.

-- Notes that operators write about a user, for each other.
create table user_note (
  id bigint generated always as identity constraint user_note_pkey primary key,
  user_id bigint not null
    constraint user_note_user_fkey references app_user (id) on delete cascade,
  -- The operator who wrote it; null: a client without a user.
  author_id bigint,
  client_id text not null,
  -- The text, encrypted under the key of the user whom it is about.
  sealed bytea not null,
  created_at timestamptz not null
);
create index user_note_user_idx on user_note (user_id, id desc);

-- Devices that are connected to an instance, for the overview of operators.
alter table connection_node add column connections integer not null default 0;
