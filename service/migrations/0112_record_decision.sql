-- What a person answered an application, recorded by the statement in which the answer is taken: in the security log,
-- and, where it was allowed, in the list of what they have let in. Allowing again what is remembered is no news.
create function record_decision(
  of_user bigint, of_client text, allowed text[], is_remembered_from_now boolean, from_ip text, from_agent text, said json, at timestamptz)
returns void language plpgsql as $$
begin
  if exists (select 1 from consent c where c.user_id = of_user and c.client_id = of_client and c.is_remembered and c.scopes @> allowed) then
    return;
  end if;
  insert into security_event (user_id, type, ip, user_agent, details, created_at)
    values (of_user, case when allowed is null then 'application_denied' else 'application_allowed' end, from_ip, from_agent, said, at);
  if allowed is null then
    return;
  end if;
  -- What was allowed without being remembered, to a device, does not become remembered by the way.
  insert into consent as known (user_id, client_id, scopes, is_remembered, created_at, updated_at)
    values (of_user, of_client, allowed, is_remembered_from_now, at, at)
    on conflict (user_id, client_id) do update set updated_at = excluded.updated_at,
      is_remembered = excluded.is_remembered and (known.is_remembered or known.scopes <@ excluded.scopes),
      scopes = (select array_agg(distinct scope order by scope) from unnest(known.scopes || excluded.scopes) as scope);
end
$$;
