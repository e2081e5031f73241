-- People who run the network: what they may do as operators, given from the command line.
alter table app_user add column operator_scopes text[] not null default '{}';
