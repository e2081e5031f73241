-- Whether any of the names was refused, as of this very moment: a function that is volatile looks anew, while the statement
-- that calls it sees what was there when it began, before it waited for whoever refused.
create function has_refused_key(names text[]) returns boolean language plpgsql volatile as $$
begin
  return exists (select from unnest(names) as n (idempotency_key) cross join lateral (select from refused_posting where idempotency_key = n.idempotency_key limit 1) r);
end $$;
