-- Audit: a purchase that an operator records has its values, and a refund has before and after.

-- Programs record purchases in batches that have no actor, and an import records those of years
-- under one command: neither gets an entry for each.
create trigger package_purchase_audited after insert on package_purchase for each row
  when (nullif(current_setting('edge_account.audit', true), '')::jsonb->>'actor_kind'
    in ('person', 'client'))
  execute function record_change('purchases', 'id', '', 'id,created_at', '');
create trigger package_purchase_refunded_audited
  after update of refunded on package_purchase for each row
  when (old.refunded is distinct from new.refunded
    and nullif(current_setting('edge_account.audit', true), '')::jsonb->>'actor_kind'
      in ('person', 'client'))
  execute function record_change('purchases', 'id', '', '', 'refunded');
