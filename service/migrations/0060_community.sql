-- The referral tree. `app_user.referrer_id` is the truth; everything here is an index of it that one writer, the
-- roll-up, derives from a queue of events. Ordinals: members never move and are never removed, so the k-th member of
-- a downline keeps the ordinal k for ever, and a page, a count or a range of dates is a few index probes.

-- Case and accent insensitive form of a name, for substring search.
create function community_fold(input text) returns text language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, normalize(input, NFKC)));

-- What the roll-up has not yet taken in. No order is needed between rows, so no late commit can be lost.
create table community_event (
  id bigint generated always as identity constraint community_event_pkey primary key,
  kind text not null constraint community_event_kind_check check (kind in ('join', 'amount', 'rename')),
  user_id bigint not null,
  amount numeric(78,0) not null default 0
);

-- One row: where the roll-up stands. `revision` counts renames.
create table community_state (
  id int constraint community_state_pkey primary key constraint community_state_one_row check (id = 1),
  last_join_no int not null,
  last_joined_at timestamptz not null,
  revision int not null
);
insert into community_state values (1, 0, '-infinity', 0);

-- A member of the tree. `join_no` numbers all members in the order of `joined_at`, without gaps; `direct_no` numbers
-- the direct referrals of one referrer.
create table community_member (
  user_id bigint constraint community_member_pkey primary key,
  referrer_id bigint,
  depth int not null,
  join_no int not null constraint community_member_join_no_key unique,
  direct_no int not null,
  joined_at timestamptz not null,
  -- Folded nickname and email address.
  name text not null,
  email text not null,
  -- Revision of the last rename; 0: none since the member joined.
  renamed int not null default 0
);
create unique index community_member_direct_idx on community_member (referrer_id, direct_no);
create index community_member_name_idx on community_member using gin (name gin_trgm_ops);
create index community_member_renamed_idx on community_member (renamed) where renamed > 0;

-- Figures of a member, written by the roll-up alone. `heavy_lead_id` is the lead below a member through which most
-- of its downline can be read; null for leads themselves and for small downlines.
create table community_stats (
  user_id bigint constraint community_stats_pkey primary key,
  direct_count int not null,
  downline_count int not null,
  downline_amount numeric(78,0) not null,
  is_lead boolean not null default false,
  heavy_lead_id bigint
) with (fillfactor = 80);
create index community_stats_lead_idx on community_stats (user_id) where is_lead;

-- Whole downlines of leads, in the order of joining.
create table community_list (
  lead_id bigint not null,
  seq int not null,
  join_no int not null,
  constraint community_list_pkey primary key (lead_id, seq)
);

-- Lists being built, a bounded piece at a time; `built_no` is the last `join_no` taken in.
create table community_list_build (
  lead_id bigint constraint community_list_build_pkey primary key,
  built_no int not null default 0,
  length int not null default 0
);

-- Own purchases net of refunds: apart from the figures, so that a purchase never waits for the roll-up.
create table community_purchase_total (
  user_id bigint constraint community_purchase_total_pkey primary key,
  amount numeric(78,0) not null
) with (fillfactor = 80);

create table package_purchase (
  id bigint generated always as identity constraint package_purchase_pkey primary key,
  user_id bigint not null constraint package_purchase_user_fkey references app_user (id),
  currency text not null,
  amount numeric(78,0) not null constraint package_purchase_amount_check check (amount > 0),
  refunded numeric(78,0) not null default 0 constraint package_purchase_refunded_check check (refunded >= 0 and refunded <= amount),
  reference text not null,
  is_external boolean not null,
  created_at timestamptz not null
) with (fillfactor = 90);
create index package_purchase_user_idx on package_purchase (user_id, id desc);

create table package_refund (
  id bigint generated always as identity constraint package_refund_pkey primary key,
  purchase_id bigint not null constraint package_refund_purchase_fkey references package_purchase (id),
  amount numeric(78,0) not null constraint package_refund_amount_check check (amount > 0),
  reference text not null,
  created_at timestamptz not null
);
create index package_refund_purchase_idx on package_refund (purchase_id);

-- A referrer's note on a direct referral: one referrer for life, so one note per member.
create table community_note (
  user_id bigint constraint community_note_pkey primary key,
  note text not null,
  updated_at timestamptz not null
);

-- How many of the first `bound` joins are in a sorted list: binary search over its ordinals.
create function community_list_rank(lead bigint, length int, bound int) returns int language plpgsql stable as $$
declare low int := 0; high int := length; middle int; found int;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    select join_no into found from community_list where lead_id = lead and seq = middle;
    if found <= bound then low := middle; else high := middle - 1; end if;
  end loop;
  return low;
end $$;

create function community_direct_rank(referrer bigint, length int, bound int) returns int language plpgsql stable as $$
declare low int := 0; high int := length; middle int; found int;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    select join_no into found from community_member where referrer_id = referrer and direct_no = middle;
    if found <= bound then low := middle; else high := middle - 1; end if;
  end loop;
  return low;
end $$;

-- The last join before an instant; `join_no` has no gaps and `joined_at` grows with it.
create function community_last_join_before(instant timestamptz) returns int language plpgsql stable as $$
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

-- Of the `skip` newest of a lead's list (ordinals up to `last`) and `others` (newest first), how many are of `others`?
create function community_split(lead bigint, first int, last int, others int[], skip int) returns int language plpgsql stable as $$
declare low int := greatest(0, skip - greatest(0, last - first + 1)); high int := least(skip, cardinality(others)); middle int; found int;
begin
  while low < high loop
    middle := (low + high) / 2;
    select join_no into found from community_list where lead_id = lead and seq = last - (skip - middle) + 1;
    if others[middle + 1] > found then low := middle + 1; else high := middle; end if;
  end loop;
  return low;
end $$;

-- A changed name or address is searched by its new form once the roll-up has seen it.
create function community_note_rename() returns trigger language plpgsql as $$
begin
  insert into community_event (kind, user_id) values ('rename', new.id);
  return null;
end $$;
create trigger community_rename after update of nickname, email_key on app_user for each row
  when (old.nickname is distinct from new.nickname or old.email_key is distinct from new.email_key) execute function community_note_rename();

-- People who were there before the tree.
insert into community_event (kind, user_id) select 'join', id from app_user order by id;
