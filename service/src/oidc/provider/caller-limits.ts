/**
 * Limits of the protocol's endpoints by address. Device requests are counted in the database. Of
 * client authentication only failures are, so that a right secret costs nothing: what exceeds the
 * limit is refused by the instance that counted it, until the window ends.
 */
import type { Config } from '../../config.ts';
import type { Database } from '../../db/index.ts';
import { consumeRateLimit, type RateLimit } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { Failure, failure } from '../../lib/failures.ts';
import { toSubnet } from '../../lib/rate-limit-subnet.ts';
import type { PresentedClient } from './presented-client.ts';

const MINUTE_S = 60;
const LIMITS = {
  /** Device requests from one address: each is a row for ten minutes. */
  device: { name: 'device-request', hits: 60, window_s: 10 * MINUTE_S },
  /** Wrong secrets for one client from one address. */
  client: { name: 'client-secret', hits: 20, window_s: 5 * MINUTE_S },
  /** Wrong secrets from one address: many services may share it. */
  address: { name: 'client-address', hits: 200, window_s: 5 * MINUTE_S },
} as const satisfies Record<string, RateLimit>;

const BLOCKED_MAX = 10_000;
const CLIENT_ID_MAX = 100;

/** The counters of an address, and of a client at it. */
function subjectsOf(ip: string, { id }: PresentedClient): readonly [string, string] {
  const address = toSubnet(ip);
  return [address, `${address} ${id.slice(0, CLIENT_ID_MAX)}`];
}

export interface CallerLimits {
  /** @throws `rate_limited` */
  countDeviceRequest(ip: string): Promise<void>;
  /** Before a client is authenticated. @throws `rate_limited` */
  checkSecret(ip: string, client: PresentedClient): void;
  /** After a client was refused, before it is answered. */
  countRefusal(ip: string, client: PresentedClient): Promise<void>;
}

interface CallerLimitDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly config: Config;
}

export function createCallerLimits({ database, clock, config }: CallerLimitDeps): CallerLimits {
  const scale = config.RATE_LIMIT_SCALE;
  /** Subjects over their limit, and until when; the oldest is forgotten first. */
  const blocked = new Map<string, number>();

  const count = (limit: RateLimit, subject: string): Promise<void> =>
    consumeRateLimit(database, clock, { ...limit, hits: limit.hits * scale }, subject);

  async function countFailure(limit: RateLimit, subject: string): Promise<void> {
    try {
      await count(limit, subject);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'rate_limited') throw error;
      const [oldest = ''] = blocked.keys();
      if (blocked.size >= BLOCKED_MAX) blocked.delete(oldest);
      const until_ms = clock.now().getTime() + (error.details.retryAfter_s ?? 1) * 1000;
      blocked.set(subject, until_ms);
    }
  }

  function checkBlocked(subject: string): void {
    const left_ms = (blocked.get(subject) ?? 0) - clock.now().getTime();
    if (left_ms > 0)
      throw failure('rate_limited', {
        retryAfter_s: Math.ceil(left_ms / 1000),
        detail: 'too many requests with a wrong client secret',
      });
    blocked.delete(subject);
  }

  return {
    countDeviceRequest: (ip) => count(LIMITS.device, toSubnet(ip)),
    checkSecret(ip, client) {
      if (client.hasSecret) for (const subject of subjectsOf(ip, client)) checkBlocked(subject);
    },
    async countRefusal(ip, client) {
      if (!client.hasSecret) return;
      const [address, addressOfClient] = subjectsOf(ip, client);
      await countFailure(LIMITS.address, address);
      await countFailure(LIMITS.client, addressOfClient);
    },
  };
}
