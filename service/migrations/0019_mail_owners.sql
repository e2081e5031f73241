-- Mail: whose mail it is, and what it is about, which stay when recipient and text are deleted.

alter table mail
  -- Null: to an address that belongs to no user, or another one's, or of an earlier version.
  add column user_id bigint,
  add column kind text not null default '';
create index mail_user_idx on mail (user_id, id) where user_id is not null;
