-- What is looked at again where a code is stored and where tokens are made, inside the statements that do it.

-- What people granted up to then gives nothing any more: the client was disabled, or removed, in between.
alter table oauth_client add column grants_valid_after timestamptz;

-- Whoever ends what a person has, all sessions or a connection, waits for codes of theirs that are being stored, and they for it.
create function person_lock(of_user bigint) returns bigint language sql immutable
as $$ select hashtextextended('person ' || of_user, 130) $$;

create function wait_for_endings(of_user bigint) returns void language sql volatile
as $$ select pg_advisory_xact_lock_shared(person_lock(of_user)) $$;

-- May a decision of then still be taken? Not once the person has shut the application out.
create function may_take_decision(of_user bigint, of_client text, decided_at timestamptz) returns boolean language plpgsql volatile
as $$
begin
  perform wait_for_endings(of_user);
  return not exists (
    select 1 from token_change c where c.kind = 'connection' and c.value = of_user || ' ' || of_client and c.effective_at >= decided_at);
end
$$;

drop function sign_in(bigint, text, text, timestamptz);

-- What a provider must know of a person, and of the client, before it gives a token. Null: the person is not active.
create function sign_in(of_user bigint, of_sid text, of_grant text, of_client text, at timestamptz) returns json
language sql stable
as $$
  select json_build_object(
    'user_id', u.id, 'email', u.email, 'nickname', u.nickname, 'operator_scopes', u.operator_scopes,
    'grants_valid_after_ms', extract(epoch from u.grants_valid_after) * 1000,
    'sid', s.sid, 'expires_at_ms', extract(epoch from s.expires_at) * 1000,
    'is_grant_revoked', exists (select 1 from token_change c where c.kind = 'grant' and c.value = of_grant),
    'client_scopes', o.scopes, 'client_grants_valid_after_ms', extract(epoch from o.grants_valid_after) * 1000,
    'is_let_in', o.is_first_party or exists (select 1 from consent c where c.user_id = u.id and c.client_id = o.client_id))
  from app_user u
    left join user_session s on s.sid = of_sid and s.user_id = u.id and s.ended_at is null and s.expires_at > at
    left join oauth_client o on o.client_id = of_client and o.is_enabled
  where u.id = of_user and u.status = 'active'
$$;
