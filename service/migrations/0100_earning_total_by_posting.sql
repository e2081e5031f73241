-- The posting writes the totals of earnings itself, from the arrays that it writes the days from: the triggers read every
-- day back, twice when it was there already, which was a sixth of the posting.
drop trigger earning_day_added on earning_day;
drop trigger earning_day_changed on earning_day;
drop function add_earning_total();
drop function change_earning_total();

-- For a statement that finds that another one came first: fails so that the whole transaction is tried again.
create function raise_serialization_failure() returns boolean language plpgsql as $$
begin
  raise exception 'another posting came first' using errcode = 'serialization_failure';
end $$;
