-- OpenID provider: metadata of clients, and logout of applications.

-- Further client metadata, under the names of its registry at IANA.
alter table oauth_client add column metadata jsonb not null default '{}';

-- Applications that a session signed in to, and that hear of its end (OpenID Connect
-- Back-Channel Logout 1.0).
create table application_session (
  sid text not null,
  client_id text not null constraint application_session_client_fkey
    references oauth_client (client_id) on delete cascade,
  -- When the session expires by itself, without a logout token.
  expires_at timestamptz not null,
  constraint application_session_pkey primary key (sid, client_id)
);
create index application_session_client_idx on application_session (client_id);
create index application_session_expires_at_idx on application_session (expires_at);

-- Logout tokens that still have to be delivered, or could not be. A delivered one is deleted.
create table logout_notice (
  id bigint generated always as identity constraint logout_notice_pkey primary key,
  client_id text not null constraint logout_notice_client_fkey
    references oauth_client (client_id) on delete cascade,
  user_id bigint not null,
  sid text not null,
  -- Deliveries that were begun.
  attempts integer not null default 0,
  -- Null: the last attempt has failed.
  next_attempt_at timestamptz,
  created_at timestamptz not null
);
create index logout_notice_due_idx on logout_notice (client_id, next_attempt_at)
  where next_attempt_at is not null;
create index logout_notice_created_at_idx on logout_notice (created_at);

-- Queues the logout tokens of ended sessions, in the transaction that ends them.
create function queue_logout_notices() returns trigger language plpgsql as $$
begin
  with ended as (
    delete from application_session a
    using session_after s join session_before b on b.sid = s.sid
    where a.sid = s.sid and b.ended_at is null and s.ended_at is not null
    returning a.sid, a.client_id, s.user_id, s.ended_at)
  insert into logout_notice (client_id, user_id, sid, next_attempt_at, created_at)
    select client_id, user_id, sid, ended_at, ended_at from ended;
  if found then
    perform pg_notify('logout_notice', '');
  end if;
  return null;
end
$$;
create trigger user_session_ended after update on user_session
  referencing old table as session_before new table as session_after
  for each statement execute function queue_logout_notices();
