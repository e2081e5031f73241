-- Audit: what operators and commands change, with before and after (ADR 0116).

-- A change of a subject by an actor. Rows are only added.
create table audit_entry (
  id bigint generated always as identity constraint audit_entry_pkey primary key,
  -- Whole milliseconds, so that a cursor of the API names it exactly.
  at timestamptz not null default now()::timestamptz(3),
  -- `database`: neither a request nor a command said who it is: a background job, or a
  -- statement over a connection of its own.
  actor_kind text not null
    constraint audit_entry_actor_kind_check
      check (actor_kind in ('person', 'client', 'command', 'database')),
  -- User id, client id, command, or database role and application.
  actor_id text not null,
  -- Application with which a person acted.
  client_id text,
  -- operationId of the OpenAPI document, command, or kind of the statement.
  operation text not null,
  -- What was changed, named as its resource in paths of the API; empty id: the whole resource.
  subject_kind text not null,
  subject_id text not null,
  -- Columns that changed, without secrets; null: none of a table whose changes are recorded.
  before jsonb,
  after jsonb,
  -- Of a subject that is not a person.
  reason text,
  -- Of a person: the reason, under the key of the person.
  reason_sealed bytea,
  -- Network address of a client; of a person who acted it is in `origin_sealed`.
  address text,
  -- Network address and user agent, under the key of the person who acted.
  origin_sealed bytea,
  request_id text,
  -- Idempotency-Key of the request: the ledger has its postings under it.
  request_key text
);
create index audit_entry_at_idx on audit_entry (at, id);
create index audit_entry_actor_idx on audit_entry (actor_kind, actor_id, at, id);
create index audit_entry_subject_idx on audit_entry (subject_kind, subject_id, at, id);
create index audit_entry_operation_idx on audit_entry (operation, at, id);

-- Entries that no seal covers yet: written with the entry, deleted with its seal.
create table audit_unsealed (
  entry_id bigint constraint audit_unsealed_pkey primary key
);

-- A keyed hash over entries, in the order of their ids, and the seal before it.
create table audit_seal (
  position bigint constraint audit_seal_pkey primary key,
  entry_ids bigint[] not null,
  -- SHA-256 of each entry: tells which one was changed.
  leaves bytea not null,
  created_at timestamptz not null,
  mac bytea not null
);
-- Which seal covers an entry; no entry is in two.
create table audit_sealed (
  entry_id bigint constraint audit_sealed_pkey primary key,
  position bigint not null
);

insert into protected_table (name, may_update) values
  ('audit_entry', false),
  ('audit_seal', false),
  ('audit_sealed', false)
  on conflict (name) do nothing;

-- `transaction()` says who acts in the setting `edge_account.audit`.
create function add_audit_entry(of_kind text, of_id text, was jsonb, became jsonb, what text)
returns void language plpgsql as $$
declare
  said jsonb := nullif(current_setting('edge_account.audit', true), '')::jsonb;
  is_subject boolean := (said->>'subject_kind', said->>'subject_id') = (of_kind, of_id);
  added bigint;
begin
  insert into audit_entry (
    actor_kind, actor_id, client_id, operation, subject_kind, subject_id, before, after,
    reason, reason_sealed, address, origin_sealed, request_id, request_key)
  values (
    coalesce(said->>'actor_kind', 'database'),
    coalesce(said->>'actor_id', session_user || '/' || current_setting('application_name')),
    said->>'client_id', coalesce(said->>'operation', what), of_kind, of_id, was, became,
    said->>'reason',
    case when is_subject then decode(said->>'reason_sealed', 'base64') end,
    said->>'address', decode(said->>'origin_sealed', 'base64'),
    said->>'request_id', said->>'request_key')
  returning id into added;
  insert into audit_unsealed (entry_id) values (added);
  perform set_config('edge_account.audited', 'true', true);
end $$;

-- At the end of a transaction: one that wrote, and of which no table recorded a change, gets an
-- entry without a change. Returns whether there is an entry.
create function close_audit() returns boolean language plpgsql as $$
declare
  said jsonb := nullif(current_setting('edge_account.audit', true), '')::jsonb;
begin
  if current_setting('edge_account.audited', true) = 'true' then
    return true;
  end if;
  if said is null or pg_current_xact_id_if_assigned() is null then
    return false;
  end if;
  perform add_audit_entry(
    said->>'subject_kind', said->>'subject_id', null, null, said->>'operation');
  return true;
end $$;

-- Records a change of a row. Arguments: kind of the subject, columns of its id, columns whose
-- values are secret (that they changed is recorded), columns that are left out, and the only
-- columns that are recorded (empty: all others).
create function record_change() returns trigger language plpgsql as $$
declare
  secrets text[] := string_to_array(tg_argv[2], ',');
  left_out text[] := string_to_array(tg_argv[3], ',');
  recorded text[] := nullif(string_to_array(tg_argv[4], ','), '{}');
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  became jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  full_row jsonb;
  subject text;
begin
  full_row := coalesce(became, was);
  select coalesce(string_agg(full_row->>c.name, '/' order by c.n), '') into subject
    from unnest(string_to_array(tg_argv[1], ',')) with ordinality as c (name, n);
  -- Versions are only added: what a new one replaces is the one before it.
  if tg_table_name = 'payout_policy' then
    select to_jsonb(p) into was from payout_policy p
      where p.version < new.version order by p.version desc limit 1;
  elsif tg_table_name = 'reward_activation' then
    select to_jsonb(a) into was from reward_activation a
      where a.hour < new.hour order by a.hour desc limit 1;
  elsif tg_table_name = 'price' then
    select a.code || '/' || b.code into subject from currency a, currency b
      where a.id = (full_row->>'currency_id')::int
        and b.id = (full_row->>'quote_currency_id')::int;
  end if;
  with changed as (
    select coalesce(a.key, b.key) as name, a.value as was, b.value as became
    from jsonb_each(coalesce(was, '{}')) a
      full join jsonb_each(coalesce(became, '{}')) b on b.key = a.key
    where a.value is distinct from b.value and not coalesce(a.key, b.key) = any (left_out)
      and (recorded is null or coalesce(a.key, b.key) = any (recorded)))
  select
    jsonb_object_agg(name, case when name = any (secrets) then '"(secret)"' else c.was end)
      filter (where c.was is not null and c.was <> 'null'),
    jsonb_object_agg(name, case when name = any (secrets) then '"(secret)"' else c.became end)
      filter (where c.became is not null and c.became <> 'null')
    into was, became from changed c;
  if was is not null or became is not null then
    perform add_audit_entry(tg_argv[0], subject, was, became, lower(tg_op));
  end if;
  return null;
end $$;

-- Settings.
create trigger price_audited after insert or delete on price for each row
  execute function record_change('prices', '', '', 'updated_at', '');
create trigger price_change_audited after update on price for each row
  when (new.source not like 'feed:%')
  execute function record_change('prices', '', '', 'updated_at', '');
create trigger price_feed_audited after insert or update or delete on price_feed for each row
  execute function record_change(
    'price-feeds', 'name', '', 'next_at,last_success_at,last_error,created_at', '');
create trigger currency_audited after insert or update or delete on currency for each row
  execute function record_change('currencies', 'code', '', 'created_at', '');
create trigger transaction_type_audited
  after insert or update or delete on transaction_type for each row
  execute function record_change('transaction-types', 'code', '', '', '');
create trigger wallet_kind_audited after insert or update or delete on wallet_kind for each row
  execute function record_change('wallets', 'code', '', '', '');
create trigger network_audited after insert or update or delete on network for each row
  execute function record_change('chains', 'code', 'rpc_urls_sealed', '', '');
create trigger token_audited after insert or update or delete on token for each row
  execute function record_change('chains', 'network', '', '', '');
create trigger chain_state_audited after update of halted_at on chain_state for each row
  when (old.halted_at is distinct from new.halted_at)
  execute function record_change(
    'chains', 'network', '', '', 'halted_at,halted_reason_code,halted_reason_values');
create trigger deposit_decision_audited after update of decision on deposit for each row
  when (old.decision is distinct from new.decision)
  execute function record_change(
    'deposits', 'id', '', '', 'status,decision,decision_reason_code,decision_reason_values');
create trigger reward_rules_audited after insert or update or delete on reward_rules for each row
  execute function record_change('rules', 'version', '', '', '');
create trigger reward_activation_audited
  after insert or update or delete on reward_activation for each row
  execute function record_change('rules', 'version', '', '', '');
create trigger payout_policy_audited after insert or update or delete on payout_policy for each row
  execute function record_change('payout-policy', '', '', '', '');
create trigger payout_stop_audited after insert or update or delete on payout_stop for each row
  execute function record_change('payout-stops', 'currency', '', '', '');

-- Applications and servers.
create trigger oauth_client_audited after insert or update or delete on oauth_client for each row
  execute function record_change('clients', 'client_id', 'secret_hash', 'updated_at', '');
create trigger registration_token_audited after insert on registration_token for each row
  execute function record_change('registration-tokens', '', 'token_hash', '', '');
create trigger upstream_provider_audited
  after insert or update or delete on upstream_provider for each row
  execute function record_change('upstream-providers', 'id', 'secret_sealed', 'updated_at', '');
create trigger resource_server_audited
  after insert or update or delete on resource_server for each row
  execute function record_change('resource-servers', 'id', '', 'updated_at', '');
create trigger resource_scope_audited
  after insert or update or delete on resource_scope for each row
  execute function record_change('resource-servers', 'resource_server_id', '', '', '');
create trigger webhook_audited after insert or delete on webhook for each row
  execute function record_change(
    'webhooks', 'id', 'secret,previous_secret', 'position,previous_until', '');
create trigger webhook_change_audited
  after update of url, description, event_types, is_active, secret, disabled_reason_code
  on webhook for each row
  execute function record_change(
    'webhooks', 'id', 'secret,previous_secret', 'position,previous_until', '');

-- People: what others decide about an account. What its owner does is in security_event.
create trigger app_user_audited after update of status, groups, operator_scopes
  on app_user for each row
  when (old.groups is distinct from new.groups
    or old.operator_scopes is distinct from new.operator_scopes
    or (old.status is distinct from new.status and new.status <> 'closed'))
  execute function record_change('users', 'id', '', '', 'status,groups,operator_scopes');
create trigger user_note_audited after insert on user_note for each row
  execute function record_change('users', 'user_id', 'sealed', 'user_id,created_at', '');
