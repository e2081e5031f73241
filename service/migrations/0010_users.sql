-- People. A row exists only once its email address has been proven.
create table app_user (
  id bigint generated always as identity constraint app_user_pkey primary key,
  email text not null,
  -- Lower-case form of the address: what is compared and unique.
  email_key text not null constraint app_user_email_key_key unique,
  nickname text not null,
  -- argon2id over HMAC-SHA256(pepper, lower-case MD5 hex); null after the account was closed.
  password_hash text,
  referral_code text not null constraint app_user_referral_code_key unique,
  -- One referrer for life; a smaller id, so that no cycle can exist.
  referrer_id bigint constraint app_user_referrer_fkey references app_user (id),
  status text not null default 'active' constraint app_user_status_check check (status in ('active', 'disabled', 'closed')),
  created_at timestamptz not null,
  constraint app_user_referrer_before check (referrer_id < id)
);
create index app_user_referrer_idx on app_user (referrer_id, created_at desc, id desc);
