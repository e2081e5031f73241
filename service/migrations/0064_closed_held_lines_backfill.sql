-- Rewards: settlements that an operator closed kept what they held, for an operator to release (ADR
-- 0138). It is refused like their other lines, unless a release has paid it, or a settlement that
-- was made after the refusals of the others has counted it as settled.
insert into reward_refusal (batch_id, leaf, code)
select l.batch_id, l.leaf, 'settlement_closed'
from reward_batch b join reward_line l on l.batch_id = b.id
where b.closed_at is not null and b.state = 'settled' and l.status = 'held'
  and not exists (
    select from reward_refusal r where r.batch_id = l.batch_id and r.leaf = l.leaf
  )
  and not exists (
    select from reward_line n join reward_batch c on c.id = n.batch_id
    where n.user_id = l.user_id and n.hour = l.hour and n.level = l.level
      and n.referee_id = l.referee_id and n.batch_id > l.batch_id and c.closed_at is null
      and (n.part = 'released' or c.created_at >= b.settled_at)
  )
limit 50000
on conflict do nothing;
