-- Community: the referral tree, package purchases, and notes.
--
-- app_user.referrer_id defines the tree. The tables of the tree are indexes of it. One writer, the
-- roll-up, derives them from a queue of events. Members never move and are never removed, so the
-- k-th member of a downline stays the k-th, and a page, a count or a range of dates takes a few
-- index lookups. Sums of purchases are numeric(96,0): a downline has any number of purchases, and
-- each may have as many digits as a balance.

-- Form of a name for substring search, without case and accents. Upper case first: letters with
-- several lower-case forms (the two sigmas of Greek) become one.
create function fold_for_search(input text) returns text language sql immutable strict parallel safe
  return lower(
    upper(public.unaccent('public.unaccent'::regdictionary, normalize(input, NFKC))));

-- Queue of the roll-up. Rows may be processed in any order, so a late commit is not lost.
create table community_event (
  id bigint generated always as identity constraint community_event_pkey primary key,
  kind text not null
    constraint community_event_kind_check check (kind in ('join', 'amount', 'rename')),
  user_id bigint not null,
  -- Kind amount: a purchase, or a negative refund.
  amount numeric(96,0) not null default 0
);

-- A changed nickname or address is searchable after the next roll-up.
create function community_note_rename() returns trigger language plpgsql as $$
begin
  insert into community_event (kind, user_id) values ('rename', new.id);
  return null;
end $$;
create trigger community_rename after update of nickname, email_key on app_user for each row
  when (old.nickname is distinct from new.nickname
    or old.email_key is distinct from new.email_key)
  execute function community_note_rename();

-- One row: the state of the roll-up.
create table community_state (
  id int
    constraint community_state_pkey primary key
    constraint community_state_one_row check (id = 1),
  -- Number and time of the last join.
  last_join_no int not null,
  last_joined_at timestamptz not null,
  -- Number of renames so far.
  revision int not null,
  -- Number of rebuilds: join numbers are comparable within one epoch only.
  epoch int not null default 1
);
insert into community_state (id, last_join_no, last_joined_at, revision)
  values (1, 0, '-infinity', 0);

-- A member of the tree.
create table community_member (
  user_id bigint constraint community_member_pkey primary key,
  -- Null: no referrer.
  referrer_id bigint,
  depth int not null,
  -- Number of the member in the order of joined_at, without gaps; and among the direct referrals of
  -- the referrer.
  join_no int not null constraint community_member_join_no_key unique,
  direct_no int not null,
  joined_at timestamptz not null,
  -- Nickname and email address, folded (fold_for_search).
  name text not null,
  email text not null
);
create unique index community_member_direct_idx on community_member (referrer_id, direct_no);
create index community_member_name_idx on community_member using gin (name gin_trgm_ops);

-- Figures of a member, written by the roll-up only. An indexed member is one whose downline is
-- stored as a list.
create table community_stats (
  user_id bigint constraint community_stats_pkey primary key,
  direct_count int not null,
  downline_count int not null,
  -- Purchases of the downline net of refunds.
  downline_amount numeric(96,0) not null,
  is_indexed boolean not null default false,
  -- The indexed member below this one with the longest list. Null for indexed members and small
  -- downlines.
  indexed_descendant_id bigint
) with (fillfactor = 80);
create index community_stats_indexed_idx on community_stats (user_id) where is_indexed;

-- The downlines of indexed members, in the order of joining. `seq` counts from 1 without gaps.
create table community_downline (
  owner_id bigint not null,
  seq int not null,
  join_no int not null,
  constraint community_downline_pkey primary key (owner_id, seq)
);

-- Lists that are being built, in bounded steps.
create table community_downline_build (
  owner_id bigint constraint community_downline_build_pkey primary key,
  -- The last join_no that was added.
  built_no int not null default 0,
  length int not null default 0
);

-- Members and purchases of an indexed member's downline by depth: the summary of a downline reads
-- one row for each level.
create table community_depth_total (
  owner_id bigint not null,
  depth int not null,
  members int not null,
  amount numeric(96,0) not null,
  constraint community_depth_total_pkey primary key (owner_id, depth)
) with (fillfactor = 80);

-- A user's own purchases net of refunds. Not in community_stats: a purchase does not wait for the
-- roll-up.
create table community_purchase_total (
  user_id bigint constraint community_purchase_total_pkey primary key,
  amount numeric(96,0) not null
) with (fillfactor = 80);

-- A purchase of a package, paid from the balance or externally.
create table package_purchase (
  id bigint generated always as identity constraint package_purchase_pkey primary key,
  user_id bigint not null constraint package_purchase_user_fkey references app_user (id),
  -- currency.code
  currency text not null,
  amount numeric(78,0) not null constraint package_purchase_amount_check check (amount > 0),
  -- Sum of the refunds.
  refunded numeric(78,0) not null default 0 constraint package_purchase_refunded_check
    check (refunded >= 0 and refunded <= amount),
  reference text not null,
  is_external boolean not null,
  created_at timestamptz not null,
  -- The transfer that paid it; `edge-account verify` compares the two.
  transfer_id bigint constraint package_purchase_transfer_key unique
) with (fillfactor = 90);
create index package_purchase_user_idx on package_purchase (user_id, id desc);

-- A full or partial refund of a purchase.
create table package_refund (
  id bigint generated always as identity constraint package_refund_pkey primary key,
  purchase_id bigint not null
    constraint package_refund_purchase_fkey references package_purchase (id),
  amount numeric(78,0) not null constraint package_refund_amount_check check (amount > 0),
  reference text not null,
  created_at timestamptz not null,
  -- The transfer that paid it back.
  transfer_id bigint constraint package_refund_transfer_key unique
);
create index package_refund_purchase_idx on package_refund (purchase_id);

-- The referrer's note on a direct referral. A user has one referrer, so one note.
create table community_note (
  user_id bigint constraint community_note_pkey primary key,
  note text not null,
  updated_at timestamptz not null
);

-- The four functions below are binary searches.

-- Number of rows of a member's list with join_no <= bound.
create function community_downline_rank(owner bigint, length int, bound int)
returns int language plpgsql stable as $$
declare low int := 0; high int := length; middle int; found int;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    select join_no into found from community_downline where owner_id = owner and seq = middle;
    if found <= bound then low := middle; else high := middle - 1; end if;
  end loop;
  return low;
end $$;

-- Number of direct referrals with join_no <= bound.
create function community_direct_rank(referrer bigint, length int, bound int)
returns int language plpgsql stable as $$
declare low int := 0; high int := length; middle int; found int;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    select join_no into found from community_member
      where referrer_id = referrer and direct_no = middle;
    if found <= bound then low := middle; else high := middle - 1; end if;
  end loop;
  return low;
end $$;

-- The largest join_no with joined_at < instant.
create function community_last_join_before(instant timestamptz)
returns int language plpgsql stable as $$
declare low int := 0; high int; middle int; found timestamptz;
begin
  select last_join_no into high from community_state;
  while low < high loop
    middle := (low + high + 1) / 2;
    select joined_at into found from community_member where join_no = middle;
    if found < instant then low := middle; else high := middle - 1; end if;
  end loop;
  return low;
end $$;

-- Merges a member's list (rows first to last) with `others`, newest first, and returns how many of
-- the first `skip` members of the result come from `others`.
create function community_merge_point(owner bigint, first int, last int, others int[], skip int)
returns int language plpgsql stable as $$
declare
  low int := greatest(0, skip - greatest(0, last - first + 1));
  high int := least(skip, cardinality(others));
  middle int;
  found int;
begin
  while low < high loop
    middle := (low + high) / 2;
    select join_no into found from community_downline
      where owner_id = owner and seq = last - (skip - middle) + 1;
    if others[middle + 1] > found then low := middle + 1; else high := middle; end if;
  end loop;
  return low;
end $$;
