-- Database: ids leave their high ten bits to a cell (docs/adr/0069); this is cell 0.

-- Below 2^37 and 2^43: user ids have 47 bits, device ids 53.
alter table app_user alter column id set maxvalue 137438953471;
alter table device alter column id set maxvalue 8796093022207;

-- Ids of transfers, hold steps and refused postings are n * 16 + shard + 1, below 2^42 of 52 bits.
alter table ledger_shard add constraint ledger_shard_ids_check check (
  transfers <= 274877906943 and steps <= 274877906943 and refusals <= 274877906943);
