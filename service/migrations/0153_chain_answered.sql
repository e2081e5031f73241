-- Since when no node of a network answers: when the chain was looked at last does not tell it.
alter table chain_state add column answered_at timestamptz;
update chain_state set answered_at = checked_at where head_height is not null and note is null;
