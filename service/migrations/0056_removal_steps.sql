-- Ledger: the removal of months continues where it was, its dead rows are cleaned up soon, and
-- archived months are known.

alter table ledger_removal
  -- The last head whose file was compared, while the files of the month are.
  add column checked_until date;

-- A month leaves millions of dead rows. By the default settings these wait until a fifth of the
-- table is dead: of a billion rows never. A run starts when 100,000 and 1 % are, and analyzes.
alter table entry set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 100000,
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 100000);
alter table transfer set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 100000,
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 100000);
-- A pack is written again for each month that it has bills of, and most of its bytes are in TOAST.
alter table entry_pack set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000,
  toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 10000);

-- Months of which every file was in the archive when its last one was written.
create table ledger_archived (
  -- Its first day, UTC.
  month date
    constraint ledger_archived_pkey primary key
    constraint ledger_archived_month_check check (extract(day from month) = 1),
  archived_at timestamptz not null
);
insert into protected_table (name, may_update) values ('ledger_archived', false);
