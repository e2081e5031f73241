-- Identity: when the last access token that was signed expires, which is how long revocations stay.
-- Events: a time is finite, or streams and metrics cannot read it.

-- One row. Every instance records the expiry of a token, or a later time, before it signs it.
create table token_expiry (
  id int
    constraint token_expiry_pkey primary key
    constraint token_expiry_one check (id = 1),
  latest timestamptz not null
    constraint token_expiry_latest_check check (isfinite(latest))
);
-- Tokens from before live 30 days at most, and the version before signs until it is replaced.
insert into token_expiry (id, latest)
select 1, now() + interval '31 days' where exists (select from signing_key);

-- Rows from before are not read here; the cleaner and its metric pass one over that is not.
alter table event add constraint event_created_at_check check (isfinite(created_at)) not valid;
