-- Whether any of the names was refused, as of this very moment: a function that is volatile looks anew, while the statement
-- that calls it sees what was there when it began, before it waited for whoever refused.
create function is_any_refused(names text[]) returns boolean language plpgsql volatile as $$
begin
  return exists (select from unnest(names) as n (idem) cross join lateral (select from refusal where idem = n.idem limit 1) r);
end $$;
