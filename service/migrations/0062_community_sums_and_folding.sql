-- Sums of purchases: one may have as many digits as a balance, and a downline has any number of them.
alter table community_event alter column amount type numeric(96,0);
alter table community_purchase_total alter column amount type numeric(96,0);
alter table community_stats alter column downline_amount type numeric(96,0);
alter table community_level alter column amount type numeric(96,0);

-- Upper case first: letters with several lower forms (the two sigmas of Greek) become one.
create or replace function community_fold(input text) returns text language sql immutable strict parallel safe
  return lower(upper(public.unaccent('public.unaccent'::regdictionary, normalize(input, NFKC))));
update community_member m set name = community_fold(u.nickname) from app_user u where u.id = m.user_id and m.name <> community_fold(u.nickname);
