-- Rewards: settlements are archived in files, and their lines removed from the database.

alter table reward_batch
  -- When its lines and their reports were written to the archive.
  add column archived_at timestamptz,
  -- Since when its lines are read from the archive.
  add column moved_at timestamptz,
  -- When its lines were removed here.
  add column removed_at timestamptz;
alter table reward_batch add constraint reward_batch_archive_check check (
  (archived_at is null or state = 'settled')
  and (moved_at is null or archived_at is not null)
  and (removed_at is null or moved_at is not null)
) not valid;
alter table reward_batch validate constraint reward_batch_archive_check;

-- Application roles cannot delete reward lines (protected_table). This removes those of a
-- settlement that is read from the archive, at most 5,000 at once, and none of the last 30 days.
-- Held lines stay: an operator may release them. An application role can claim that a settlement is
-- archived: verify reads the files, and finds what none has.
create function remove_archived_lines(of_table regclass, of_settlement bigint, at_most int)
returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  home name;
  removed int;
begin
  select n.nspname into strict home
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = of_table and c.relname = 'reward_line' and c.relowner = current_user::regrole;
  execute format(
    'delete from %1$I.reward_line where batch_id = $1 and leaf = any(array(
       select l.leaf from %1$I.reward_line l join %1$I.reward_batch b on b.id = l.batch_id
       where l.batch_id = $1 and b.moved_at is not null and l.status <> ''held''
         and l.hour < now() - interval ''30 days''
       order by l.leaf limit least(coalesce($2, 5000), 5000)
     ))',
    home
  ) using of_settlement, at_most;
  get diagnostics removed = row_count;
  return removed;
end $$;
revoke execute on function remove_archived_lines(regclass, bigint, int) from public;
