import type { Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { RevocationKind } from './types.ts';

/** Notification channel of the feed; the payload is the change itself. */
export const TOKEN_CHANGES = 'token_change';

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

export interface BindInput {
  readonly jti: string;
  readonly grantId?: string;
  readonly nodeId: string;
  /** When the last token concerned expires. */
  readonly until: Date;
}

/** A row of the feed, as it is notified and polled. */
export interface TokenChange {
  readonly kind: RevocationKind | 'bind_jti' | 'bind_grant';
  readonly value: string;
  readonly reason: string | null;
  readonly node_id: string | null;
  readonly spared_sid: string | null;
  readonly effective_ms: number;
  readonly until_ms: number;
}

async function record(tx: Transaction, changes: readonly TokenChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.query(
    `with change as (select value as fields from json_array_elements($1::json)),
     recorded as (
       insert into token_change (kind, value, reason, node_id, spared_sid, effective_at, until)
       select fields->>'kind', fields->>'value', fields->>'reason', fields->>'node_id',
         fields->>'spared_sid', to_timestamp((fields->>'effective_ms')::float8 / 1000),
         to_timestamp((fields->>'until_ms')::float8 / 1000)
       from change)
     select pg_notify('${TOKEN_CHANGES}', fields::text) from change`,
    [JSON.stringify(changes)],
  );
}

/** Revokes tokens; every instance refuses them within a second of the commit. */
export async function revoke(
  tx: Transaction,
  clock: Clock,
  ...revocations: readonly RevokeInput[]
): Promise<void> {
  const effective_ms = clock.now().getTime();
  const changes = revocations.map(({ kind, value, reason, until, sparedSid }) => ({
    kind,
    value,
    reason,
    node_id: null,
    spared_sid: sparedSid ?? null,
    effective_ms,
    until_ms: until.getTime(),
  }));
  await record(tx, changes);
}

/** Binds a token, and those refreshed from its grant, to the routes of one device. */
export async function bindToken(
  tx: Transaction,
  clock: Clock,
  { jti, grantId, nodeId, until }: BindInput,
): Promise<void> {
  const shared = {
    reason: null,
    node_id: nodeId,
    spared_sid: null,
    effective_ms: clock.now().getTime(),
    until_ms: until.getTime(),
  };
  const ofGrant: TokenChange[] =
    grantId === undefined ? [] : [{ kind: 'bind_grant', value: grantId, ...shared }];
  await record(tx, [{ kind: 'bind_jti', value: jti, ...shared }, ...ofGrant]);
}

/** Deletes changes whose tokens have all expired, a bounded number at a time. */
export async function deleteOldTokenChanges(
  tx: Transaction,
  clock: Clock,
  limit = 5000,
): Promise<number> {
  const { rowCount } = await tx.query(
    'delete from token_change where id in (select id from token_change where until < $1 limit $2)',
    [clock.now(), limit],
  );
  return rowCount;
}
