-- Under which key a person took an offer: asked again long after, it is answered as before.
alter table conversion add column idempotency_key text;
create unique index conversion_key_idx on conversion (user_id, idempotency_key) where idempotency_key is not null;
