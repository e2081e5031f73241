/** Revocations and bindings of tokens in memory. */
import { ALL_USERS, type TokenChange } from './revoke.ts';

/** Kinds that concern tokens issued before the change; the others concern all tokens they name. */
const BY_TIME: ReadonlySet<TokenChange['kind']> = new Set([
  'user',
  'node',
  'client',
  'connection',
  'all',
]);

/** The claims of a token that a check needs. */
export interface TokenFacts {
  readonly jti: string;
  readonly sid?: string | undefined;
  readonly grantId?: string | undefined;
  readonly userId?: number | undefined;
  readonly nodeId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly issuedAt: Date;
}

export function createRevocationMemory() {
  const changes = new Map<string, TokenChange>();
  let version = 0;
  const reasonIf = (change: TokenChange | undefined, token: TokenFacts): string | undefined => {
    if (!change) return undefined;
    if (BY_TIME.has(change.kind) && token.issuedAt.getTime() > change.effective_ms)
      return undefined;
    if (change.spared_sid !== null && change.spared_sid === token.sid) return undefined;
    return change.reason ?? undefined;
  };
  const get = (kind: TokenChange['kind'], value: string | number | undefined) =>
    value === undefined ? undefined : changes.get(`${kind} ${value}`);
  /** Devices can change their owner, and applications have many users. */
  const ofUser = ({ userId }: TokenFacts, name: string | undefined) =>
    userId === undefined || name === undefined ? undefined : `${userId} ${name}`;
  const nodeOf = (jti: string, grantId?: string): string | undefined =>
    (get('bind_jti', jti) ?? get('bind_grant', grantId))?.node_id ?? undefined;
  return {
    nodeOf,
    version: () => version,
    /** Adds a change. @returns false when it or a later one is known */
    add(change: TokenChange): boolean {
      const key = `${change.kind} ${change.value}`;
      const known = changes.get(key);
      if (known && known.effective_ms >= change.effective_ms) return false;
      changes.set(key, change);
      version++;
      return true;
    },
    reasonFor(token: TokenFacts): string | undefined {
      return (
        reasonIf(get('jti', token.jti), token) ??
        reasonIf(get('sid', token.sid), token) ??
        reasonIf(get('grant', token.grantId), token) ??
        reasonIf(get('all', ALL_USERS), token) ??
        reasonIf(get('user', token.userId), token) ??
        reasonIf(get('client', token.clientId), token) ??
        reasonIf(get('connection', ofUser(token, token.clientId)), token) ??
        reasonIf(
          get('node', ofUser(token, token.nodeId ?? nodeOf(token.jti, token.grantId))),
          token,
        )
      );
    },
    prune(now_ms: number): void {
      for (const [key, change] of changes) if (change.until_ms <= now_ms) changes.delete(key);
    },
  };
}
