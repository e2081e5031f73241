-- Who disconnected or deleted a device is a code; texts are made where they are read.
update device
set cut_reason = case when cut_reason like '% by you' then 'owner' else 'key_holder' end
where cut_reason is not null;
