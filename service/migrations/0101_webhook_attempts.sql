-- Sending a message again starts its tries anew; those before stay counted.
alter table webhook_delivery add column attempts_before int not null default 0;
