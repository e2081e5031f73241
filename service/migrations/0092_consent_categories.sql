-- Categories of traffic that the person granted a device with the consent.
alter table consent_decision add column categories text[] not null default '{}';
