-- One row of the outbox may stand for the events of a whole range of postings: transfers of one shard with dense numbers.
-- What each event tells is read from its transfer. Transfer n of a shard has the id n * 16 + shard + 1 and two positions of
-- its own, one for each side (debit, credit); `position` is the last one of the range.
alter table event
  alter column data drop not null,
  add column first_transfer bigint,
  add column transfers int,
  add column shard smallint,
  add constraint event_posting_check check (
    case when data is null
      then first_transfer >= 0 and transfers > 0 and shard >= 0 and shard < 16 and user_id is null and not is_broadcast
      else first_transfer is null and transfers is null and shard is null end is true);
-- A posting has the event of one type at most.
create unique index event_posting_key on event (shard, first_transfer) where shard is not null;
-- Old events are found by position.
drop index event_created_at_idx;
