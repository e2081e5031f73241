-- OIDC: names of functions by the glossary. The version before calls the old ones, which become
-- other names of the new ones here, and are dropped one release later.

-- Waits until sessions or connections of a user that are being ended have ended.
create function wait_for_revocations(of_user bigint) returns void language sql volatile
as $$ select pg_advisory_xact_lock_shared(person_lock(of_user)) $$;

-- Whether a decision made at `decided_at` is still valid: false if the user has disconnected the
-- client since.
create function can_record_decision(of_user bigint, of_client text, decided_at timestamptz)
returns boolean language plpgsql volatile
as $$
begin
  perform wait_for_revocations(of_user);
  return not exists (
    select 1 from token_revocation c
    where c.kind = 'connection' and c.value = of_user || ' ' || of_client
      and c.effective_at >= decided_at);
end
$$;

-- User, session, grant and client as needed for issuing a token, inside the provider's own
-- statements. Null: the user is not active.
create function load_sign_in(
  of_user bigint, of_sid text, of_grant text, of_client text, at timestamptz)
returns json language sql stable
as $$
  select json_build_object(
    'user_id', u.id, 'email', u.email, 'nickname', u.nickname, 'groups', u.groups,
    'operator_scopes', u.operator_scopes,
    'grants_valid_after_ms', extract(epoch from u.grants_valid_after) * 1000,
    'sid', s.sid, 'expires_at_ms', extract(epoch from s.expires_at) * 1000,
    'is_grant_revoked',
      exists (select 1 from token_revocation c where c.kind = 'grant' and c.value = of_grant),
    'client_scopes', o.scopes,
    'client_grants_valid_after_ms', extract(epoch from o.grants_valid_after) * 1000,
    'is_let_in', o.is_first_party or exists (
      select 1 from consent c where c.user_id = u.id and c.client_id = o.client_id))
  from app_user u
    left join user_session s on s.sid = of_sid and s.user_id = u.id and s.ended_at is null
      and s.expires_at > at
    left join oauth_client o on o.client_id = of_client and o.is_enabled
  where u.id = of_user and u.status = 'active'
$$;

create or replace function wait_for_endings(of_user bigint) returns void language sql volatile
as $$ select wait_for_revocations(of_user) $$;

create or replace function may_take_decision(
  of_user bigint, of_client text, decided_at timestamptz)
returns boolean language plpgsql volatile
as $$ begin return can_record_decision(of_user, of_client, decided_at); end $$;

create or replace function sign_in(
  of_user bigint, of_sid text, of_grant text, of_client text, at timestamptz)
returns json language sql stable
as $$ select load_sign_in(of_user, of_sid, of_grant, of_client, at) $$;
