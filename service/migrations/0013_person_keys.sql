-- Identity: keys of users, by whose destruction what identifies a closed account is erased.

-- The key of a user. What identifies in the security log and in sessions is encrypted under it, so
-- that its destruction also reaches backups that were made before.
create table person_key (
  user_id bigint constraint person_key_pkey primary key
    constraint person_key_user_fkey references app_user (id) on delete cascade,
  -- Encrypted with a key that is derived from the master key. Null: none was needed, or erased.
  key_sealed bytea,
  created_at timestamptz not null,
  -- Set when the account is closed: from then on it is due.
  erase_at timestamptz,
  erased_at timestamptz
);
create index person_key_due_idx on person_key (erase_at) where erased_at is null;

-- Address, user agent and details under the key of the user; null in rows of earlier versions,
-- which have them in the columns before.
alter table security_event add column sealed bytea;
-- SHA-256 over a keyed hash of the address and the user: a known address is found by it.
alter table security_event add column address_hash bytea;
create index security_event_known_idx on security_event (user_id, address_hash, created_at)
  where type in ('signed_in', 'registered') and address_hash is not null;
alter table user_session add column sealed bytea;

-- Accounts that were closed before.
insert into person_key (user_id, created_at, erase_at)
  select id, now(), now() + interval '30 days' from app_user where status = 'closed';
