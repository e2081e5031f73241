-- DPoP proofs that were taken, for as long as they live: each serves once in the whole service. Unlogged: after a
-- crash of the database a proof of the last minute could serve once more.
create unlogged table dpop_proof (
  id text constraint dpop_proof_pkey primary key,
  expires_at timestamptz not null
);
create index dpop_proof_expires_at_idx on dpop_proof (expires_at);
