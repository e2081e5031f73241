-- Identity: an operator freezes the money of a person, until an operator releases it.

alter table user_security
  -- Null: not frozen by an operator. `money_frozen_until` is what a weak proof of the owner causes.
  add column money_frozen_since timestamptz;

create trigger user_security_added_audited after insert on user_security for each row
  when (new.money_frozen_since is not null)
  execute function record_change('users', 'user_id', '', '', 'money_frozen_since');
create trigger user_security_audited after update of money_frozen_since
  on user_security for each row
  when (old.money_frozen_since is distinct from new.money_frozen_since)
  execute function record_change('users', 'user_id', '', '', 'money_frozen_since');
