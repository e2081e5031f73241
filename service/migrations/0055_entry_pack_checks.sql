-- Ledger: packs of bills have a shape, and only the owner of the schema writes them.

-- Application roles read `entry_pack`, and write no row of it: `pack_entries` alone does, as the
-- owner. Migrating takes back what they were granted (application-roles.ts).

-- Used by a check, which cannot have a query of its own.
create function has_duplicates(list bigint[]) returns boolean
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $$
  select count(*) <> count(distinct e) from unnest(list) as e
$$;

-- Rows from before are not read here: verify names packs of another shape.
alter table entry_pack
  add constraint entry_pack_positions_check check (
    cardinality(positions) between 1 and 256 and array_position(positions, null) is null
    and block * 256 < all (positions) and (block + 1) * 256 >= all (positions)
    and not has_duplicates(positions)
  ) not valid,
  add constraint entry_pack_transfers_check check (
    array_position(transfer_ids, null) is null and first_transfer = any (transfer_ids)
    and first_transfer <= all (transfer_ids) and not has_duplicates(transfer_ids)
  ) not valid,
  add constraint entry_pack_lengths_check check (
    array[cardinality(seqs), cardinality(transfer_ids), cardinality(created_times),
      cardinality(currency_ids), cardinality(business_ids), cardinality(directions),
      cardinality(amounts), cardinality(balances_after), cardinality(other_wallets),
      cardinality(event_times), cardinality(reward_types), cardinality(node_ids)]
    = array_fill(cardinality(positions), array[12])
  ) not valid,
  add constraint entry_pack_values_check check (
    1 <= all (seqs) and array_position(seqs, null) is null
    and array_position(created_times, null) is null and array_position(currency_ids, null) is null
    and array_position(business_ids, null) is null and array_position(directions, null) is null
    and directions <@ array[1, 2]::smallint[]
    and array_position(amounts, null) is null and 0 < all (amounts)
    and array_position(balances_after, null) is null and array_position(event_times, null) is null
    and array_position(reward_types, null) is null
    -- One side is the house, the other a person.
    and array_position(other_wallets, null) is null
    and (wallet_id > 0 and 0 > all (other_wallets) or wallet_id < 0 and 0 < all (other_wallets))
  ) not valid,
  add constraint entry_pack_house_check check (
    case when wallet_id > 0 then num_nulls(other_positions, other_seqs, other_balances,
        may_overdraw, request_hashes, idempotency_keys) = 6
      else coalesce(array[cardinality(other_positions), cardinality(other_seqs),
          cardinality(other_balances), cardinality(may_overdraw), cardinality(request_hashes),
          cardinality(idempotency_keys)] = array_fill(cardinality(positions), array[6]), false)
        and array_position(other_positions, null) is null
        and array_position(other_seqs, null) is null
        and array_position(other_balances, null) is null
        and array_position(may_overdraw, null) is null
        and array_position(request_hashes, null) is null
        and array_position(idempotency_keys, null) is null end
  ) not valid;
