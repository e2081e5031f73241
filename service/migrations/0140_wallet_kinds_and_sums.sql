-- Kinds of wallets are data: whoever adds one by hand meets the same rules as the command. The id packs into wallet ids.
alter table wallet_kind
  drop constraint wallet_kind_id_check,
  add constraint wallet_kind_id_check check (id >= 1 and is_house = (id >= 32)),
  add constraint wallet_kind_code_check check (code ~ '^[a-z][a-z0-9_]{1,31}$' and code <> 'users');

create function refuse_wallet_kind_change() returns trigger language plpgsql as $$
begin
  raise exception 'a kind of wallet never changes';
end $$;
create trigger wallet_kind_is_frozen before update or delete on wallet_kind for each row execute function refuse_wallet_kind_change();

-- Sums over all wallets of a person, of which there are fewer than a hundred kinds: two digits more than an account has.
alter table earning_day alter column amount type numeric(80,0);
alter table earning_total alter column amount type numeric(80,0);
