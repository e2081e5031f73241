/** Revocations of tokens in memory: those whose tokens have not expired yet. */
import { ALL_USERS, type RevocationRow } from './revoke.ts';
import type { RevocationKind } from './types.ts';

/**
 * Kinds that end all tokens that they name, whenever issued; the others end tokens issued up to
 * then. Nearly all revocations are of these kinds.
 */
export const WHOLE_KINDS = ['jti', 'sid', 'grant'] as const;
type WholeKind = (typeof WHOLE_KINDS)[number];

const isWhole = (kind: RevocationKind): kind is WholeKind =>
  (WHOLE_KINDS as readonly string[]).includes(kind);

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

/** What many revocations of whole kinds share: with a million of them, an object each is memory. */
interface Ending {
  readonly reason: string;
  /** Rounded up to the hour. */
  readonly until_ms: number;
}

const HOUR_MS = 3_600_000;

class WholeRevocations {
  readonly #endings = new Map<string, Ending>();
  readonly #byKind = {
    jti: new Map<string, Ending>(),
    sid: new Map<string, Ending>(),
    grant: new Map<string, Ending>(),
  };

  #share(reason: string, until_ms: number): Ending {
    const hour = Math.ceil(until_ms / HOUR_MS);
    const key = `${hour} ${reason}`;
    const known = this.#endings.get(key);
    if (known) return known;
    const ending = { reason, until_ms: hour * HOUR_MS };
    this.#endings.set(key, ending);
    return ending;
  }

  /** @returns false when it is known, for this time or a longer one */
  add(kind: WholeKind, value: string, reason: string, until_ms: number): boolean {
    const ending = this.#share(reason, until_ms);
    const known = this.#byKind[kind].get(value);
    if (known && known.until_ms >= ending.until_ms) return false;
    this.#byKind[kind].set(value, ending);
    return true;
  }

  reasonFor(kind: WholeKind, value: string | undefined): string | undefined {
    return value === undefined ? undefined : this.#byKind[kind].get(value)?.reason;
  }

  prune(now_ms: number): void {
    for (const [key, { until_ms }] of this.#endings)
      if (until_ms <= now_ms) this.#endings.delete(key);
    for (const revocations of Object.values(this.#byKind))
      for (const [value, { until_ms }] of revocations)
        if (until_ms <= now_ms) revocations.delete(value);
  }
}

export function createRevocationMemory() {
  const whole = new WholeRevocations();
  const byTime = new Map<string, RevocationRow>();
  let version = 0;
  const reasonIf = (
    revocation: RevocationRow | undefined,
    token: TokenFacts,
  ): string | undefined => {
    if (!revocation || token.issuedAt.getTime() > revocation.effective_ms) return undefined;
    if (revocation.spared_sid !== null && revocation.spared_sid === token.sid) return undefined;
    return revocation.reason;
  };
  const get = (kind: RevocationRow['kind'], value: string | number | undefined) =>
    value === undefined ? undefined : byTime.get(`${kind} ${value}`);
  /** Devices can change their owner, and applications have many users. */
  const ofUser = ({ userId }: TokenFacts, name: string | undefined) =>
    userId === undefined || name === undefined ? undefined : `${userId} ${name}`;
  function addByTime(revocation: RevocationRow): boolean {
    const key = `${revocation.kind} ${revocation.value}`;
    const known = byTime.get(key);
    if (known && known.effective_ms >= revocation.effective_ms) return false;
    byTime.set(key, revocation);
    return true;
  }
  return {
    version: () => version,
    /** Adds a revocation. @returns false when it or a later one is known */
    add(revocation: RevocationRow): boolean {
      const { kind, value, reason, until_ms } = revocation;
      const isNew = isWhole(kind)
        ? whole.add(kind, value, reason, until_ms)
        : addByTime(revocation);
      if (isNew) version++;
      return isNew;
    },
    reasonFor(token: TokenFacts): string | undefined {
      return (
        whole.reasonFor('jti', token.jti) ??
        whole.reasonFor('sid', token.sid) ??
        whole.reasonFor('grant', token.grantId) ??
        reasonIf(get('all', ALL_USERS), token) ??
        reasonIf(get('user', token.userId), token) ??
        reasonIf(get('client', token.clientId), token) ??
        reasonIf(get('connection', ofUser(token, token.clientId)), token) ??
        reasonIf(get('node', ofUser(token, token.nodeId)), token)
      );
    },
    prune(now_ms: number): void {
      whole.prune(now_ms);
      for (const [key, revocation] of byTime) if (revocation.until_ms <= now_ms) byTime.delete(key);
    },
  };
}
