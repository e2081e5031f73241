-- Sessions and keys: signing keys of several algorithms, each with a life cycle of its own.

-- RS256 signs all access tokens; the others sign ID tokens of clients that are registered so.
alter table signing_key add column alg text not null default 'RS256'
  constraint signing_key_alg_check check (alg in ('RS256', 'ES256', 'EdDSA'));
drop index signing_key_one_current_idx;
drop index signing_key_one_next_idx;
create unique index signing_key_one_current_idx on signing_key (alg) where state = 'current';
create unique index signing_key_one_next_idx on signing_key (alg) where state = 'next';
