-- Rate limits: hits per subject in fixed windows.

-- Hits of a subject in a window. Unlogged: a crash of the database server loses the counters only.
create unlogged table rate_limit (
  -- The limit's name with what it counts for: an address, a user, a client.
  subject text not null,
  window_start timestamptz not null,
  hits int not null,
  constraint rate_limit_pkey primary key (subject, window_start)
);
-- For the clean-up of past windows.
create index rate_limit_window_start_idx on rate_limit (window_start);

-- Counts one hit and returns the number of hits in the window. A function, so that a statement can
-- count and do its work in one round trip.
create function rate_limit_consume(of_subject text, of_window timestamptz)
returns int language plpgsql as $$
declare
  taken int;
begin
  insert into rate_limit (subject, window_start, hits) values (of_subject, of_window, 1)
  on conflict (subject, window_start) do update set hits = rate_limit.hits + 1
  returning hits into taken;
  return taken;
end
$$;

-- Takes back one hit of each subject. Rows are locked in the order of the arguments, which is the
-- order in which the hits were counted, so that two requests cannot deadlock.
create function rate_limit_refund(of_subjects text[], of_windows timestamptz[])
returns void language plpgsql as $$
begin
  update rate_limit r set hits = r.hits - 1 from (
    select l.subject, l.window_start
    from unnest(of_subjects, of_windows) with ordinality as t (subject, window_start, place)
    join rate_limit l on l.subject = t.subject and l.window_start = t.window_start
    where l.hits > 0 order by t.place for update of l) as held
  where r.subject = held.subject and r.window_start = held.window_start and r.hits > 0;
end
$$;
