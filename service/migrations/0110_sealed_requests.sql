-- Requests that wait for a person, their decisions and browser sessions travel sealed and are no longer stored; a code
-- carries its grant.
drop table consent_decision;
delete from oidc_object where model in ('Interaction', 'Session');
alter table oidc_object add column grant_payload json;
-- Rows are written once and marked as used once: with room on their page no index needs to know.
alter table oidc_object set (fillfactor = 50);
