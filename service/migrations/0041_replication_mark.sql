-- Database: how an instance knows that a standby has the history of its primary.

-- One row. A position in the log says nothing about a standby that follows another history than
-- the primary: after a failover it may be further on, and lack what was written since. The mark
-- changes with the history, and is replicated with it.
create table replication_mark (
  id int
    constraint replication_mark_pkey primary key
    constraint replication_mark_one check (id = 1),
  -- The timeline of the primary that the mark was made on, as in the names of its log files.
  timeline text not null,
  mark uuid not null
);
insert into replication_mark (id, timeline, mark) values (1, '', gen_random_uuid());
