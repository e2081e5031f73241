-- Sign-in: what a killed run has left of the index.
drop index concurrently if exists logout_notice_failed_idx;
