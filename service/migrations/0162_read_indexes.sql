-- Lists of everybody in the order in which they are shown, by each filter that they take.
create index deposit_detected_idx on deposit (detected_at desc, id desc);
create index deposit_currency_idx on deposit (currency, detected_at desc, id desc);
create index deposit_network_idx on deposit (network, detected_at desc, id desc);
create index deposit_status_detected_idx on deposit (status, detected_at desc, id desc);
create index app_user_status_idx on app_user (status, id desc);
-- Written at once: people come rarely, and every search would read through a list of what is not yet in its place.
create index app_user_email_search_idx on app_user using gin (email_key gin_trgm_ops) with (fastupdate = off);
create index app_user_nickname_search_idx on app_user using gin (nickname gin_trgm_ops) with (fastupdate = off);
create index reward_batch_hour_idx on reward_batch (hour, id desc);
-- What waits for an operator's word, by whose it is; few of all lines.
create index reward_line_held_idx on reward_line (referee_id) where status = 'held';
-- Deliveries that are not done: what is counted beside each webhook, and listed when something is wrong.
create index webhook_delivery_undone_idx on webhook_delivery (webhook_id, state, id desc) where state <> 'delivered';
