-- Registrations with an account of another OpenID provider (ADR 0099).

alter table registration alter column password_hash drop not null;
-- The account of the provider that the new account begins with, instead of a password.
alter table registration add column upstream_issuer text;
alter table registration add column upstream_subject text;
