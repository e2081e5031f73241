-- Which reports each line was made of, as they were counted when it was settled, and their hash, which its leaf carries.
alter table traffic_report add column id bigint generated always as identity constraint traffic_report_id_key unique;
create index traffic_report_to_idx on traffic_report (to_at);
alter table reward_line
  -- Of traffic and penalties; null: settled before reports were noted, or made of none.
  add column report_ids bigint[],
  add column reports_hash bytea;
-- How its leaves are hashed: 3 with the hash of the reports and what commits to the referee, 2 without.
alter table reward_chunk add column leaf_format smallint not null default 2;
