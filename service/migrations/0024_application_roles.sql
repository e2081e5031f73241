-- Roles that instances run with, beside the owner of the schema: they read and write rows, and
-- change nothing of the schema.

-- Migrating grants these roles what instances need, also on tables of later
-- migrations. Only the owner writes here.
create table application_role (
  name text constraint application_role_pkey primary key,
  added_at timestamptz not null default now()
);

-- Tables of which application roles delete no row. Only the owner writes here.
create table protected_table (
  name text constraint protected_table_pkey primary key,
  -- False: application roles only add rows.
  may_update boolean not null
);
insert into protected_table (name, may_update) values
  ('transfer', false),
  ('entry', false),
  ('entry_count_block', false),
  ('refused_posting', false),
  ('hold_step', false),
  ('batch_seal', false),
  ('ledger_head', false),
  ('ledger_key', false),
  ('import_certificate', false),
  ('payout_decision', false),
  ('payout_decision_end', true),
  ('payout_policy', false),
  ('payout_transaction', false),
  ('reward_activation', true),
  ('reward_line', false),
  ('reward_refusal', false),
  ('account', true),
  ('hold', true),
  ('ledger_shard', true),
  ('earning_day', true),
  ('earning_total', true),
  ('currency', true),
  ('transaction_type', true),
  ('wallet_kind', true),
  ('app_user', true),
  ('deposit', true),
  ('package_purchase', true),
  ('package_refund', true),
  ('payout', true),
  ('payout_total', true);

-- Statistics are for the owner of a table to collect. A transaction that fills a table plans by
-- them before autovacuum has seen the table.
create function refresh_statistics(of_table regclass) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format('analyze %s', of_table);
end $$;
revoke execute on function refresh_statistics(regclass) from public;
