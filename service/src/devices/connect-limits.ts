/**
 * How many live connections one address or one person may have on all nodes together, and how many attempts an address
 * may make on this one: that limit keeps a storm away from this process and from the database, so it asks nobody.
 */
import { limited } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { OthersCount } from './connection-registry.ts';
import type { LimitKind } from './enforce-connection-limits.ts';

/** A burst of this many seconds' attempts passes: a household's devices come back together after an outage. */
const BURST_S = 10;
const BUCKETS_MAX = 10_000;
/** Nobody knows when one of the others ends: whoever is one too many asks again after this. */
const FULL_RETRY_S = 30;

export interface ConnectLimits {
  /** Counts an attempt. @throws `rate_limited` */
  attempt(address: string): void;
  /** Counts a connection; call the result once when it ends. @throws `connection_limit` */
  open(connection: OpeningConnection): () => void;
}

export interface OpeningConnection {
  readonly userId: number;
  readonly address: string;
  /** What other nodes hold. */
  readonly others: OthersCount;
  /** Address of this device's older connection on this process: the new one takes its place, and is no further one. */
  readonly replaces: string | undefined;
}

export interface ConnectLimitsOptions {
  readonly clock: Clock;
  readonly connectsPerSecond: number;
  readonly perUser: number;
  readonly perAddress: number;
}

interface Bucket {
  tokens: number;
  filledAt_ms: number;
}

const REACHED = {
  user: 'The limit of your live connections is reached',
  address: 'The limit of live connections from your network address is reached',
} as const;

/** What whoever is one too many is told. */
export function describeLimit(kind: LimitKind, limit: number): string {
  return `${REACHED[kind]}: ${limit}`;
}

function createCounter(limit: number, kind: LimitKind) {
  const counts = new Map<number | string, number>();
  const quota = { name: `connections-${kind}`, hits: limit };
  return {
    check(subject: number | string, elsewhere: number): void {
      if ((counts.get(subject) ?? 0) + elsewhere >= limit)
        throw limited(quota, FULL_RETRY_S, `${describeLimit(kind, limit)}.`, 'connection_limit');
    },
    add(subject: number | string, change: 1 | -1): void {
      const count = (counts.get(subject) ?? 0) + change;
      if (count > 0) counts.set(subject, count);
      else counts.delete(subject);
    },
  };
}

export function createConnectLimits({
  clock,
  connectsPerSecond,
  perUser,
  perAddress,
}: ConnectLimitsOptions): ConnectLimits {
  const buckets = new Map<string, Bucket>();
  const users = createCounter(perUser, 'user');
  const addresses = createCounter(perAddress, 'address');
  const full = connectsPerSecond * BURST_S;
  const attempts = { name: 'connect', hits: full, window_s: BURST_S };

  function refill(bucket: Bucket, now_ms: number): void {
    const gained = (Math.max(0, now_ms - bucket.filledAt_ms) * connectsPerSecond) / 1000;
    bucket.tokens = Math.min(full, bucket.tokens + gained);
    bucket.filledAt_ms = now_ms;
  }

  function forgetFull(now_ms: number): void {
    for (const [address, bucket] of buckets) {
      refill(bucket, now_ms);
      if (bucket.tokens >= full) buckets.delete(address);
    }
  }

  return {
    attempt(address) {
      const now_ms = clock.now().getTime();
      if (buckets.size >= BUCKETS_MAX) forgetFull(now_ms);
      const bucket = buckets.get(address) ?? { tokens: full, filledAt_ms: now_ms };
      buckets.set(address, bucket);
      refill(bucket, now_ms);
      if (bucket.tokens < 1)
        throw limited(
          attempts,
          1 + Math.floor(1 / connectsPerSecond),
          'Too many connection attempts from your network address.',
        );
      bucket.tokens -= 1;
    },
    open({ userId, address, others, replaces }) {
      users.check(userId, others.ofUser - (replaces === undefined ? 0 : 1));
      addresses.check(address, others.atAddress - (replaces === address ? 1 : 0));
      users.add(userId, 1);
      addresses.add(address, 1);
      return () => {
        users.add(userId, -1);
        addresses.add(address, -1);
      };
    },
  };
}
