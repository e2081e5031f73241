-- Accounts of people who closed theirs: a batch locks the rows that it moves anyway, so it sees this without asking further.
alter table account add column closed boolean not null default false;
update account set closed = true from app_user u where u.id = account.user_id and u.status = 'closed';
