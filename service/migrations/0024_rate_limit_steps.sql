-- Counting as functions, so that a statement can count and do its work in one round trip.

-- Counts one hit; gives how many there are in this window now.
create function rate_limit_consume(of_subject text, of_window timestamptz) returns int language plpgsql as $$
declare
  taken int;
begin
  insert into rate_limit (subject, window_start, hits) values (of_subject, of_window, 1)
  on conflict (subject, window_start) do update set hits = rate_limit.hits + 1
  returning hits into taken;
  return taken;
end
$$;

-- Takes back one hit each. Rows are locked in the order given, as they were when the hits were taken: two requests
-- never wait for each other.
create function rate_limit_refund(of_subjects text[], of_windows timestamptz[]) returns void language plpgsql as $$
begin
  update rate_limit r set hits = r.hits - 1 from (
    select l.subject, l.window_start from unnest(of_subjects, of_windows) with ordinality as t (subject, window_start, place)
    join rate_limit l on l.subject = t.subject and l.window_start = t.window_start where l.hits > 0 order by t.place for update of l) as held
  where r.subject = held.subject and r.window_start = held.window_start and r.hits > 0;
end
$$;
