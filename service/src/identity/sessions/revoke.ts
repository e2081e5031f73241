import { announce, type Transaction } from '../../db/index.ts';
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
  /** When the last token concerned expires. */
  readonly until: Date;
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

async function record(tx: Transaction, revocations: readonly RevocationRow[]): Promise<void> {
  if (revocations.length === 0) return;
  await tx.query(
    `insert into token_revocation (kind, value, reason, spared_sid, effective_at, until)
     select fields->>'kind', fields->>'value', fields->>'reason', fields->>'spared_sid',
       to_timestamp((fields->>'effective_ms')::float8 / 1000),
       to_timestamp((fields->>'until_ms')::float8 / 1000)
     from json_array_elements($1::json) as revoked (fields)`,
    [JSON.stringify(revocations)],
  );
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
    until_ms: until.getTime(),
  }));
  await record(tx, rows);
}
