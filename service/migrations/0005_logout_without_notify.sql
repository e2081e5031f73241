-- OpenID provider: a session that ends wakes the senders of logout tokens by its revocation.

-- Queues the logout tokens of ended sessions, in the transaction that ends them. It does not
-- notify: a transaction that does commits under one lock of the whole cluster.
create or replace function queue_logout_notices() returns trigger language plpgsql as $$
begin
  with ended as (
    delete from application_session a
    using session_after s join session_before b on b.sid = s.sid
    where a.sid = s.sid and b.ended_at is null and s.ended_at is not null
    returning a.sid, a.client_id, s.user_id, s.ended_at)
  insert into logout_notice (client_id, user_id, sid, next_attempt_at, created_at)
    select client_id, user_id, sid, ended_at, ended_at from ended;
  return null;
end
$$;
