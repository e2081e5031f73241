-- Rewards: the removal of archived lines continues from the leaf where it ended.

alter table reward_batch
  -- All of its lines up to this leaf are removed here, but those that are held. Null: none is.
  add column removed_leaf bigint;
alter table reward_batch add constraint reward_batch_removed_leaf_check check (
  removed_leaf is null or moved_at is not null) not valid;
alter table reward_batch validate constraint reward_batch_removed_leaf_check;

-- As before (0051), it removes the lines of a settlement that is read from the archive, none of the
-- last 30 days, and none that are held. Each call looks at the next leaves only, at most 5,000:
-- from the first leaf on it would read what earlier calls removed, which the index still has. The
-- leaf is recorded with the removal, and instances wait for each other. It returns how many lines
-- it looked at: fewer than `at_most` when none is left that it may remove.
create or replace function remove_archived_lines(
  of_table regclass, of_settlement bigint, at_most int)
returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  home name;
  after bigint;
  last bigint;
  looked int;
begin
  select n.nspname into strict home
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = of_table and c.relname = 'reward_line' and c.relowner = current_user::regrole;
  execute format(
    'select coalesce(removed_leaf, -1) from %I.reward_batch
     where id = $1 and moved_at is not null for no key update',
    home
  ) into after using of_settlement;
  if after is null then
    return 0;
  end if;
  execute format(
    'select max(leaf) filter (where is_old), count(*) filter (where is_old)
     from (
       select leaf, bool_and(hour < now() - interval ''30 days'') over (order by leaf) as is_old
       from (
         select leaf, hour from %I.reward_line where batch_id = $1 and leaf > $2
         order by leaf limit least(coalesce($3, 5000), 5000)
       ) next_leaves
     ) checked',
    home
  ) into last, looked using of_settlement, after, at_most;
  if looked = 0 then
    return 0;
  end if;
  execute format(
    'delete from %I.reward_line
     where batch_id = $1 and leaf > $2 and leaf <= $3 and status <> ''held''',
    home
  ) using of_settlement, after, last;
  execute format('update %I.reward_batch set removed_leaf = $2 where id = $1', home)
    using of_settlement, last;
  return looked;
end $$;
