-- How often the tree was made anew: numbers of joining of one epoch say nothing in another.
alter table community_state add column epoch int not null default 1;
