-- Changes with every change of the account: who computes on what it remembers of an account writes only if that still holds.
alter table account add column version bigint not null default 0;

-- The ledger gives each change its version; one that came without (by hand, or from a process of the version before) gets one here.
create function give_account_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger account_version before update on account for each row when (old.version = new.version) execute function give_account_version();
