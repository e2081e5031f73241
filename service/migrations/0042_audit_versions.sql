-- Audit: a version that is changed or deleted by hand has an entry with its own values before.

-- Records a change of a row. Arguments: kind of the subject, columns of its id, columns whose
-- values are secret (that they changed is recorded), columns that are left out, and the only
-- columns that are recorded (empty: all others).
create or replace function record_change() returns trigger language plpgsql as $$
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
  -- Versions are only added: what a new one replaces is the one before it. One that is changed or
  -- deleted by hand has its own values before.
  if tg_op = 'INSERT' and tg_table_name = 'payout_policy' then
    select to_jsonb(p) into was from payout_policy p
      where p.version < new.version order by p.version desc limit 1;
  elsif tg_op = 'INSERT' and tg_table_name = 'reward_activation' then
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
