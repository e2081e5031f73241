-- The end of everything that was given up to an instant: the tokens of everybody.
alter table token_change drop constraint token_change_kind_check;
alter table token_change add constraint token_change_kind_check
  check (kind in ('jti', 'sid', 'grant', 'user', 'node', 'client', 'connection', 'all', 'bind_jti', 'bind_grant'));
