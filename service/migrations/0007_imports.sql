-- Imports: what was brought from another system, and the certificates of it.

-- A row of a file that was imported. A row that comes again is compared with it.
create table imported_row (
  file text not null constraint imported_row_file_check check (file in
    ('people', 'balances', 'bills', 'devices', 'deposit_addresses', 'purchases')),
  -- Identifies the row in its file: an id, or `user/wallet/currency`.
  key text collate "C" not null,
  user_id bigint not null,
  -- Times that the row was imported or changed: part of the idempotency keys of its postings.
  revision int not null,
  -- First 16 bytes of the SHA-256 of the row as it was imported.
  digest bytea not null,
  -- Sum of its postings in minor units, seen from the wallet of the user.
  amount numeric(78,0) not null default 0,
  constraint imported_row_pkey primary key (file, key)
);

-- What an import brought: totals of the source beside those of the service.
create table import_certificate (
  id bigint generated always as identity constraint import_certificate_pkey primary key,
  -- Exactly the bytes that were signed.
  body text not null,
  signature text not null,
  kid text not null constraint import_certificate_key_fkey references ledger_key (kid),
  created_at timestamptz not null
);
