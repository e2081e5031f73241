-- Daily heads of the ledger's chains, signed, so that a tail that was cut off is missed by whoever kept one.
create table ledger_key (
  kid text constraint ledger_key_pkey primary key,
  -- Public part (JWK, Ed25519); the private part is encrypted under the master key.
  public_jwk jsonb not null,
  sealed_private_key text not null,
  created_at timestamptz not null
);

create table ledger_head (
  -- UTC day that it closes.
  day date constraint ledger_head_pkey primary key,
  -- Exactly the bytes that were signed.
  body text not null,
  signature text not null,
  kid text not null constraint ledger_head_key_fkey references ledger_key (kid),
  created_at timestamptz not null
);
