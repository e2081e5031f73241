-- Grows with every change of a person's list of devices: a node may show a list that it has kept while this stands still.
create table device_list (
  user_id bigint constraint device_list_pkey primary key constraint device_list_user_fkey references app_user (id),
  version bigint not null
) with (fillfactor = 70);
