-- Payouts: money that leaves to addresses of users. The service has no private key: a separate
-- program, the signer, pays what operators or the policy approved.

-- How the session last proved its second factor (RFC 8176 value); null: before this column.
alter table reauthentication add column factor text;

-- An address that a user may be paid at.
create table payout_address (
  id bigint generated always as identity constraint payout_address_pkey primary key,
  user_id bigint not null constraint payout_address_user_fkey references app_user (id),
  network text not null constraint payout_address_network_fkey references network (code),
  -- For display (with checksum), and in lower case for comparison.
  address text not null,
  address_key text not null,
  label text not null,
  created_at timestamptz not null,
  -- A stolen session cannot pay a new address at once.
  usable_at timestamptz not null,
  removed_at timestamptz
);
create unique index payout_address_key_key on payout_address (user_id, network, address_key)
  where removed_at is null;
create index payout_address_user_idx on payout_address (user_id, id);

-- Versions of the payout policy. The newest applies; none is changed.
create table payout_policy (
  version int constraint payout_policy_pkey primary key,
  policy jsonb not null,
  -- User or client that wrote it.
  created_by text not null,
  created_at timestamptz not null
);

-- Currencies of which nothing is requested, approved or handed to the signer.
create table payout_stop (
  -- currency.code
  currency text constraint payout_stop_pkey primary key,
  reason text not null,
  stopped_by text not null,
  stopped_at timestamptz not null
);

-- A request to be paid on a chain.
create table payout (
  id bigint generated always as identity constraint payout_pkey primary key,
  user_id bigint not null constraint payout_user_fkey references app_user (id),
  address_id bigint not null constraint payout_address_fkey references payout_address (id),
  network text not null constraint payout_network_fkey references network (code),
  -- currency.code
  currency text not null,
  -- In minor units of the currency: what leaves the wallet, and the part of it that is the fee.
  amount numeric(78,0) not null constraint payout_amount_check check (amount > 0),
  fee numeric(78,0) not null constraint payout_fee_check check (fee >= 0 and fee < amount),
  -- hold.id of what arrives, and of the fee.
  hold_id bigint not null constraint payout_hold_key unique,
  fee_hold_id bigint constraint payout_fee_hold_key unique,
  -- Key of the request in the ledger.
  idempotency_key text not null constraint payout_idempotency_key unique,
  request_hash text not null,
  status text not null constraint payout_status_check check (status in ('requested', 'in_review',
    'approved', 'signed', 'sent', 'confirmed', 'failed', 'cancelled', 'rejected')),
  reason_code text,
  policy_version int not null
    constraint payout_policy_fkey references payout_policy (version),
  -- How the request was proven: a strong factor, or email.
  step_up text not null constraint payout_step_up_check check (step_up in ('strong', 'email')),
  review_reasons text[] not null default '{}',
  approvals_needed int not null default 0
    constraint payout_approvals_check check (approvals_needed between 0 and 2),
  -- What approvers sign, and the signer verifies: canonical JSON, null until the row has its id.
  document text,
  -- SHA-256 of the document, base64url: the challenge of each approval.
  document_hash text,
  -- Answer of the sanctions check that allowed the approval, or the last one that did not.
  sanctions jsonb,
  sanctions_tries int not null default 0,
  check_at timestamptz not null,
  -- When its transactions were last looked for in the chain.
  followed_at timestamptz not null,
  -- The signer that took it: no other one can.
  signer text,
  -- How often it was confirmed. Part of the keys of the network fee's postings.
  epoch int not null default 0,
  -- True since what arrives was settled.
  is_settled boolean not null default false,
  tx_hash text,
  block_number bigint,
  block_hash text,
  -- In the smallest unit of the chain's coin.
  network_fee numeric(78,0),
  requested_at timestamptz not null,
  decided_at timestamptz,
  sent_at timestamptz,
  confirmed_at timestamptz,
  updated_at timestamptz not null,
  constraint payout_document_check check ((document is null) = (document_hash is null))
);
create index payout_user_idx on payout (user_id, id desc);
create index payout_user_currency_idx on payout (user_id, currency, requested_at);
create index payout_currency_idx on payout (currency, requested_at);
create index payout_address_id_idx on payout (address_id);
-- The queues.
create index payout_status_idx on payout (status, id);
create index payout_check_idx on payout (check_at, id) where status = 'requested';
create index payout_signer_idx on payout (network, id) where status in ('approved', 'signed');
create index payout_sent_idx on payout (network, followed_at) where status = 'sent';
create index payout_block_idx on payout (network, block_number) where status = 'confirmed';

-- Transactions that the signer sent for a payout: replacements have the same nonce or input.
create table payout_transaction (
  payout_id bigint not null constraint payout_transaction_payout_fkey references payout (id),
  tx_hash text not null,
  sent_at timestamptz not null,
  constraint payout_transaction_pkey primary key (payout_id, tx_hash)
);

-- The audit log of decisions: each row is sealed with the row before it.
create table payout_decision (
  position bigint constraint payout_decision_pkey primary key,
  -- Null: a decision about a currency or the policy.
  payout_id bigint constraint payout_decision_payout_fkey references payout (id),
  decision text not null,
  -- The user, client or program that decided.
  decided_by text not null,
  user_id bigint constraint payout_decision_user_fkey references app_user (id),
  details jsonb not null,
  -- Passkey assertion of an approval.
  assertion jsonb,
  created_at timestamptz not null,
  -- Keyed hash over this row and the mac before it.
  mac bytea not null
);
create index payout_decision_payout_idx on payout_decision (payout_id, position);
-- A person approves a payout once.
create unique index payout_decision_approval_key on payout_decision (payout_id, user_id)
  where decision = 'approved';
