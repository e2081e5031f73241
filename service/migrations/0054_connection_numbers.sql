-- Which of two connections is the newer one is told by a number of the database: clocks of nodes differ. The table is
-- written anew by every process within a second.
truncate connection_node, live_connection;
create sequence live_connection_number;
alter table live_connection drop column opened_at;
alter table live_connection add column number bigint not null;
-- Who lost at the last write: that node is told to let go of connections older than the number.
alter table live_connection add column loser uuid;
