-- Ledger: a transfer that is packed cannot be inserted again.

-- Application roles insert transfers, and the key of a packed one is free. A forged row with its id
-- would be read, and reversed, in its place. Ids of a shard grow, and so do those in packs of the
-- house: the lowest new id of each shard is compared with the last pack of each kind of wallet, and
-- only one that is not behind it makes all be looked for. Names are those of this schema, whatever
-- a role has in its search path; they stand in the text, so that its plans are kept.
do $do$ begin
  execute format($create$
    create function refuse_packed_transfers() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    declare
      packed bigint;
    begin
      if not exists (
        select from (
            select mod(id - 1, 16) as shard, min(id) as id from added group by 1
          ) a cross join %1$I.wallet_kind w cross join lateral (
            select transfer_ids from %1$I.entry_pack
            where wallet_id < 0 and wallet_id = -(w.id * 16 + a.shard + 1)
            order by first_transfer desc limit 1
          ) p
        where w.is_house and a.id <= any (p.transfer_ids)
      ) then
        return null;
      end if;
      select a.id into packed
      from added a cross join %1$I.wallet_kind w cross join lateral (
          select transfer_ids from %1$I.entry_pack
          where wallet_id < 0 and wallet_id = -(w.id * 16 + mod(a.id - 1, 16) + 1)
            and first_transfer <= a.id
          order by first_transfer desc limit 1
        ) p
      where w.is_house and a.id = any (p.transfer_ids) limit 1;
      if packed is not null then
        raise exception 'transfer %% is packed', packed
          using errcode = 'integrity_constraint_violation';
      end if;
      return null;
    end $$
  $create$, current_schema());
end $do$;
revoke execute on function refuse_packed_transfers() from public;
create trigger transfer_is_not_packed after insert on transfer
  referencing new table as added for each statement execute function refuse_packed_transfers();
