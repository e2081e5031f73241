/** Revocations of tokens in memory: those whose tokens have not expired yet. */
import { LargeMap } from '../../lib/large-map.ts';
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
  /** A session whose tokens stay valid: grants end beside the session that ends all others. */
  readonly sparedSid: string | null;
  /** Rounded up to the hour. */
  readonly until_ms: number;
}

const HOUR_MS = 3_600_000;

class WholeRevocations {
  readonly #endings = new Map<string, Ending>();
  readonly #byKind = {
    jti: new LargeMap<string, Ending>(),
    sid: new LargeMap<string, Ending>(),
    grant: new LargeMap<string, Ending>(),
  };

  #share({ reason, sparedSid, until_ms }: Ending): Ending {
    const hour = Math.ceil(until_ms / HOUR_MS);
    const key = JSON.stringify([hour, reason, sparedSid]);
    const known = this.#endings.get(key);
    if (known) return known;
    const ending = { reason, sparedSid, until_ms: hour * HOUR_MS };
    this.#endings.set(key, ending);
    return ending;
  }

  /** @returns false when nothing more is revoked by it, and for no longer */
  add(kind: WholeKind, value: string, added: Ending): boolean {
    const known = this.#byKind[kind].get(value);
    // Each revocation holds: what one spares, another revokes.
    const ending = this.#share({
      reason: known?.reason ?? added.reason,
      sparedSid: known && known.sparedSid !== added.sparedSid ? null : added.sparedSid,
      until_ms: Math.max(known?.until_ms ?? 0, added.until_ms),
    });
    if (ending === known) return false;
    this.#byKind[kind].set(value, ending);
    return true;
  }

  reasonFor(kind: WholeKind, value: string | undefined, sid?: string): string | undefined {
    const ending = value === undefined ? undefined : this.#byKind[kind].get(value);
    const isSpared = ending && ending.sparedSid !== null && ending.sparedSid === sid;
    return isSpared ? undefined : ending?.reason;
  }

  counts(): Record<WholeKind, number> {
    const { jti, sid, grant } = this.#byKind;
    return { jti: jti.size, sid: sid.size, grant: grant.size };
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
  const byTime = new LargeMap<string, RevocationRow>();
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
    // One that began no later may hold for longer.
    const until_ms = Math.max(known?.until_ms ?? 0, revocation.until_ms);
    const isKnown = known !== undefined && known.effective_ms >= revocation.effective_ms;
    if (isKnown && until_ms === known.until_ms) return false;
    byTime.set(key, { ...(isKnown ? known : revocation), until_ms });
    return true;
  }
  return {
    version: () => version,
    /** How many are kept, by kind; `timed`: those that end tokens issued up to then. */
    counts: () => ({ ...whole.counts(), timed: byTime.size }),
    /** Adds a revocation. @returns false when nothing more is revoked by it, and for no longer */
    add(revocation: RevocationRow): boolean {
      const { kind, value, reason, until_ms, spared_sid: sparedSid } = revocation;
      const isNew = isWhole(kind)
        ? whole.add(kind, value, { reason, until_ms, sparedSid })
        : addByTime(revocation);
      if (isNew) version++;
      return isNew;
    },
    reasonFor(token: TokenFacts): string | undefined {
      return (
        whole.reasonFor('jti', token.jti, token.sid) ??
        whole.reasonFor('sid', token.sid, token.sid) ??
        whole.reasonFor('grant', token.grantId, token.sid) ??
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
