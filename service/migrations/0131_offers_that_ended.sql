-- Offers that nobody took are deleted by the time at which they ended.
create index conversion_untaken_idx on conversion (expires_at) where converted_at is null;
