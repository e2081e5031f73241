-- OpenID provider: clients, stored provider objects, consents, and functions for token issuing.

-- An application that may request tokens.
create table oauth_client (
  client_id text constraint oauth_client_pkey primary key,
  name text not null,
  -- Null: a public client.
  secret_hash text,
  redirect_uris text[] not null,
  -- Scopes that the client may request.
  scopes text[] not null,
  grant_types text[] not null,
  -- Clients of one sector know a user by the same pairwise subject (OpenID Connect Core 8.1).
  sector text not null,
  -- First-party clients need no consent.
  is_first_party boolean not null,
  -- False: a request with `nonce` may leave PKCE out. Confidential clients only.
  requires_pkce boolean not null,
  is_enabled boolean not null default true,
  -- Grants made before this instant are invalid: the client was disabled or removed since.
  grants_valid_after timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Codes, grants, refresh tokens and browser sessions of the provider. Authorization requests that
-- wait for a user are not stored: the browser carries them encrypted.
create table oidc_object (
  -- Name of the provider's model.
  model text not null,
  -- Hash of the code, token or session id, or id of the grant.
  id text not null,
  payload json not null,
  -- The grant that the object belongs to.
  grant_id text,
  uid text,
  -- Device authorization (RFC 8628): the code that the user types.
  user_code text,
  -- Device authorization: when the device last polled, and the interval that it must keep.
  polled_at timestamptz,
  poll_every_s integer,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  constraint oidc_object_pkey primary key (model, id)
) with (fillfactor = 50); -- Rows are updated once: with free space on the page no index changes.
create index oidc_object_grant_idx on oidc_object (grant_id) where grant_id is not null;
create index oidc_object_uid_idx on oidc_object (model, uid) where uid is not null;
create unique index oidc_object_user_code_idx on oidc_object (user_code)
  where user_code is not null;
create index oidc_object_expires_at_idx on oidc_object (expires_at);

-- Scopes that a user has granted a client.
create table consent (
  user_id bigint not null constraint consent_user_fkey references app_user (id),
  client_id text not null
    constraint consent_client_fkey references oauth_client (client_id) on delete cascade,
  scopes text[] not null,
  -- False: each sign-in asks again, and the row only lists the connection.
  is_remembered boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint consent_pkey primary key (user_id, client_id)
);

-- Records a user's answer to an authorization request in the security log and, if scopes were
-- granted, in the consents. `allowed` is null for a denial. An answer that a remembered consent
-- already covers is not recorded.
create function record_decision(
  of_user bigint, of_client text, allowed text[], is_remembered_from_now boolean,
  from_ip text, from_agent text, said json, at timestamptz)
returns void language plpgsql as $$
begin
  if exists (
    select 1 from consent c where c.user_id = of_user and c.client_id = of_client
      and c.is_remembered and c.scopes @> allowed) then
    return;
  end if;
  insert into security_event (user_id, type, ip, user_agent, details, created_at)
    values (of_user,
      case when allowed is null then 'application_denied' else 'application_allowed' end,
      from_ip, from_agent, said, at);
  if allowed is null then
    return;
  end if;
  -- A consent stays unremembered if scopes that it already has were granted without remembering.
  insert into consent as known (user_id, client_id, scopes, is_remembered, created_at, updated_at)
    values (of_user, of_client, allowed, is_remembered_from_now, at, at)
    on conflict (user_id, client_id) do update set updated_at = excluded.updated_at,
      is_remembered = excluded.is_remembered
        and (known.is_remembered or known.scopes <@ excluded.scopes),
      scopes = (
        select array_agg(distinct scope order by scope)
        from unnest(known.scopes || excluded.scopes) as scope);
end
$$;

-- Key of the advisory lock of a user. Ending sessions or connections takes it exclusively, storing
-- a code takes it shared: each waits for the other. The seed is ADVISORY_LOCKS.person in
-- service/src/db/advisory-locks.ts.
create function person_lock(of_user bigint) returns bigint language sql immutable
as $$ select hashtextextended('person ' || of_user, 130) $$;

create function wait_for_endings(of_user bigint) returns void language sql volatile
as $$ select pg_advisory_xact_lock_shared(person_lock(of_user)) $$;

-- Whether a decision made at `decided_at` is still valid: false if the user has disconnected the
-- client since.
create function may_take_decision(of_user bigint, of_client text, decided_at timestamptz)
returns boolean language plpgsql volatile
as $$
begin
  perform wait_for_endings(of_user);
  return not exists (
    select 1 from token_revocation c
    where c.kind = 'connection' and c.value = of_user || ' ' || of_client
      and c.effective_at >= decided_at);
end
$$;

-- User, session, grant and client as needed for issuing a token, inside the provider's own
-- statements. Null: the user is not active.
create function sign_in(
  of_user bigint, of_sid text, of_grant text, of_client text, at timestamptz)
returns json language sql stable
as $$
  select json_build_object(
    'user_id', u.id, 'email', u.email, 'nickname', u.nickname,
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
