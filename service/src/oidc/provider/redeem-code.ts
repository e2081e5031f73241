/**
 * Reads and consumes a code in one statement, where the request has all that its redemption needs. Where anything is
 * not as it must be, nothing is consumed, and the provider goes on step by step and says what is wrong; a code that is
 * bound to a key is consumed with a proof of that key only.
 */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, decodeProtectedHeader } from 'jose';
import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider';
import type { Db } from '../../db/index.ts';
import type { SignInRow } from '../../identity/index.ts';

export interface StoredRow {
  readonly payload: AdapterPayload;
  readonly consumed_at: Date | null;
  readonly grant_payload: AdapterPayload | null;
  readonly sign_in: SignInRow | null;
}

const REDEEM = `with code as (
    update oidc_object set consumed_at = $2
    where model = 'AuthorizationCode' and id = $1 and consumed_at is null and expires_at > $2 and grant_payload is not null
      and payload->>'clientId' = $3 and payload->>'redirectUri' = $4 and payload->>'codeChallenge' = $5 and payload->>'codeChallengeMethod' = 'S256'
      and (payload->>'dpopJkt' is null or payload->>'dpopJkt' = $6)
    returning payload, grant_payload, grant_id)
  select payload, null::timestamptz as consumed_at, grant_payload,
    sign_in((payload->>'accountId')::bigint, payload->>'sid', grant_id, $3, $2) as sign_in from code`;

/** The key of the proof that came with a request, which the provider has checked by now. */
async function proofKeyOf(ctx: KoaContextWithOIDC): Promise<string | undefined> {
  const proof = ctx.get('dpop');
  const { jwk } = proof === '' ? {} : decodeProtectedHeader(proof);
  return jwk && calculateJwkThumbprint(jwk);
}

/** True for a code that is bound to a key, where the request lacks a proof of it. */
export async function isMissingDpopProof(
  code: AdapterPayload,
  ctx: KoaContextWithOIDC | undefined,
): Promise<boolean> {
  return (
    code.dpopJkt !== undefined &&
    ctx?.oidc.route === 'token' &&
    code.dpopJkt !== (await proofKeyOf(ctx))
  );
}

/** Undefined: nothing was consumed. */
export async function redeemCode(
  db: Db,
  now: Date,
  id: string,
  ctx: KoaContextWithOIDC,
): Promise<StoredRow | undefined> {
  const { oidc } = ctx;
  const { redirect_uri, code_verifier } = oidc.params ?? {};
  if (
    oidc.route !== 'token' ||
    !oidc.client ||
    typeof redirect_uri !== 'string' ||
    typeof code_verifier !== 'string'
  )
    return undefined;
  const challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const { rows } = await db.prepared<StoredRow>('oidc-redeem', REDEEM, [
    id,
    now,
    oidc.client.clientId,
    redirect_uri,
    challenge,
    await proofKeyOf(ctx),
  ]);
  return rows[0];
}
