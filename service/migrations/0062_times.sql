-- Identity: how long the tokens live that instances sign, and so their revocations.
-- Events: a time is finite, or streams and metrics cannot read it.

-- How long tokens live that instances sign, each value that is or was set.
create table token_lifetime (
  lifetime_s int
    constraint token_lifetime_pkey primary key
    constraint token_lifetime_lifetime_s_check check (lifetime_s between 1 and 2592000),
  -- Each instance writes it at its start and every hour.
  last_used_at timestamptz not null
    constraint token_lifetime_last_used_at_check check (isfinite(last_used_at))
);
-- The version before does not record what it signs: at most this.
insert into token_lifetime (lifetime_s, last_used_at)
select 2592000, now() where exists (select from signing_key);

-- Rows from before are not read here; the cleaner and its metric pass one over that is not.
alter table event add constraint event_created_at_check check (isfinite(created_at)) not valid;
