-- What a provider must know of a person before it gives a token, for use inside its own reads. Null: not active.
create function sign_in(of_user bigint, of_sid text, of_grant text, at timestamptz) returns json
language sql stable
as $$
  select json_build_object(
    'user_id', u.id, 'email', u.email, 'nickname', u.nickname, 'operator_scopes', u.operator_scopes,
    'grants_valid_after_ms', extract(epoch from u.grants_valid_after) * 1000,
    'sid', s.sid, 'expires_at_ms', extract(epoch from s.expires_at) * 1000,
    'is_grant_revoked', exists (select 1 from token_change c where c.kind = 'grant' and c.value = of_grant))
  from app_user u left join user_session s on s.sid = of_sid and s.user_id = u.id and s.ended_at is null and s.expires_at > at
  where u.id = of_user and u.status = 'active'
$$;
