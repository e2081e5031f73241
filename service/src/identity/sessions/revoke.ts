import { announce, queryNamed, type Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { RevocationKind } from './types.ts';

/** Announced when the feed has grown. */
export const TOKEN_REVOCATIONS = 'token_revocation';

/** The value of the kind `all`. */
export const ALL_USERS = 'all';

export interface RevokeInput {
  readonly kind: RevocationKind;
  readonly value: string;
  readonly reason: string;
  /**
   * When the last token concerned expires. Absent: when a token can that is signed now and lives
   * longest; a grant must then be deleted by the same transaction, because it lives longer.
   */
  readonly until?: Date;
  /** For `user`: the session whose tokens stay valid. */
  readonly sparedSid?: string;
}

/** A row of the feed. */
export interface RevocationRow {
  readonly kind: RevocationKind;
  readonly value: string;
  readonly reason: string;
  readonly spared_sid: string | null;
  readonly effective_ms: number;
  readonly until_ms: number;
}

/** No token lives longer (see LOGIN_TOKEN_TTL). */
export const LONGEST_TOKEN_MS = 2_592_000_000;

type NewRow = Omit<RevocationRow, 'until_ms'> & { readonly until_ms: number | undefined };

// A lifetime counts until the tokens have expired that were signed with it, and some hours more: it
// is recorded each hour, and clocks differ. Where none counts, tokens may live longest. Revocations
// stay an hour more: clocks differ, and a request that is under way may still sign.
const INSERT_REVOCATIONS = `with revoked as (
    select fields->>'kind' as kind, fields->>'value' as value, fields->>'reason' as reason,
      fields->>'spared_sid' as spared_sid,
      to_timestamp((fields->>'effective_ms')::float8 / 1000) as effective_at,
      to_timestamp((fields->>'until_ms')::float8 / 1000) as until
    from json_array_elements(:revocations::json) as item (fields)
  )
  insert into token_revocation (kind, value, reason, spared_sid, effective_at, until)
  select kind, value, reason, spared_sid, effective_at, interval '1 hour' + coalesce(
      until,
      effective_at + interval '1 second' * coalesce(
        (select max(lifetime_s) from token_lifetime
         where last_used_at + lifetime_s * interval '1 second' + interval '6 hours' > effective_at),
        ${LONGEST_TOKEN_MS / 1000}))
  from revoked`;

async function record(tx: Transaction, revocations: readonly NewRow[]): Promise<void> {
  if (revocations.length === 0) return;
  await queryNamed(tx, INSERT_REVOCATIONS, { revocations: JSON.stringify(revocations) });
  announce(tx, TOKEN_REVOCATIONS);
}

/** Revokes tokens; every instance refuses them within a second of the commit. */
export async function revoke(
  tx: Transaction,
  clock: Clock,
  ...revocations: readonly RevokeInput[]
): Promise<void> {
  const effective_ms = clock.now().getTime();
  const rows = revocations.map(({ kind, value, reason, until, sparedSid }) => ({
    kind,
    value,
    reason,
    spared_sid: sparedSid ?? null,
    effective_ms,
    until_ms: until?.getTime(),
  }));
  await record(tx, rows);
}
