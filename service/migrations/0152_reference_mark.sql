-- A mark of what the ledger's names stand for: currencies, types of business and kinds of wallets. Processes remember these,
-- and write only on what the database has: after a failover that lost the last of them, an id may stand for another.
create table reference_data_version (
  is_only boolean not null default true constraint reference_data_version_pkey primary key constraint reference_mark_is_only_check check (is_only),
  mark uuid not null default gen_random_uuid()
);
insert into reference_data_version default values;

create function change_reference_mark() returns trigger language plpgsql as $$
begin
  update reference_data_version set mark = gen_random_uuid();
  return null;
end $$;
create trigger currency_marked after insert or delete or truncate on currency for each statement execute function change_reference_mark();
create trigger business_marked after insert or update or delete or truncate on transaction_type for each statement execute function change_reference_mark();
create trigger wallet_kind_marked after insert or update or delete or truncate on wallet_kind for each statement execute function change_reference_mark();

-- For a posting whose names no longer stand for what they did: fails so that it is tried again, with the names read anew.
create function raise_reference_data_changed() returns boolean language plpgsql as $$
begin
  raise exception 'what the names of the ledger stand for has changed' using errcode = 'serialization_failure', constraint = 'reference_data_version';
end $$;

-- An account that is opened anew, in a database that lost it, has another version than the one that somebody remembers;
-- so has one that was changed by hand in both.
alter table account alter column version set default floor(random() * 281474976710656)::bigint;
create or replace function give_account_version() returns trigger language plpgsql as $$
begin
  new.version := floor(random() * 281474976710656)::bigint;
  return new;
end $$;
