/** Revocations of tokens in memory: those whose tokens have not expired yet. */
import { ALL_USERS, type RevocationRow } from './revoke.ts';

/** Kinds that end tokens issued up to then; the others end all tokens that they name. */
const BY_TIME: ReadonlySet<RevocationRow['kind']> = new Set([
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
  const revocations = new Map<string, RevocationRow>();
  let version = 0;
  const reasonIf = (
    revocation: RevocationRow | undefined,
    token: TokenFacts,
  ): string | undefined => {
    if (!revocation) return undefined;
    if (BY_TIME.has(revocation.kind) && token.issuedAt.getTime() > revocation.effective_ms)
      return undefined;
    if (revocation.spared_sid !== null && revocation.spared_sid === token.sid) return undefined;
    return revocation.reason;
  };
  const get = (kind: RevocationRow['kind'], value: string | number | undefined) =>
    value === undefined ? undefined : revocations.get(`${kind} ${value}`);
  /** Devices can revocation their owner, and applications have many users. */
  const ofUser = ({ userId }: TokenFacts, name: string | undefined) =>
    userId === undefined || name === undefined ? undefined : `${userId} ${name}`;
  return {
    version: () => version,
    /** Adds a revocation. @returns false when it or a later one is known */
    add(revocation: RevocationRow): boolean {
      const key = `${revocation.kind} ${revocation.value}`;
      const known = revocations.get(key);
      if (known && known.effective_ms >= revocation.effective_ms) return false;
      revocations.set(key, revocation);
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
        reasonIf(get('node', ofUser(token, token.nodeId)), token)
      );
    },
    prune(now_ms: number): void {
      for (const [key, revocation] of revocations)
        if (revocation.until_ms <= now_ms) revocations.delete(key);
    },
  };
}
