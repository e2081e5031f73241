-- One row: tells a process with another master key before it reads, or seals, anything with it.
create table master_key_check (
  id int constraint master_key_check_pkey primary key constraint master_key_check_one check (id = 1),
  mac bytea not null
);
