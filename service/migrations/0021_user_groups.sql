-- Identity: groups that operators assign to users, for the claim `groups`.

alter table app_user
  add column groups text[] not null default '{}',
  add constraint app_user_groups_check check (cardinality(groups) <= 50);

-- What a provider reads of a user, a session, a grant and a client before it issues a token.
create or replace function sign_in(
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
