-- Members and purchases of a lead's downline by depth, kept by the roll-up beside the lists: a summary of a downline
-- of any size reads as many rows as it has levels.
create table community_level (
  lead_id bigint not null,
  depth int not null,
  members int not null,
  amount numeric(78,0) not null,
  constraint community_level_pkey primary key (lead_id, depth)
) with (fillfactor = 80);
