/**
 * How long the tokens live that instances sign: revocations stay for as long. The setting of the
 * instance that revokes does not say it: LOGIN_TOKEN_TTL may be longer at another instance, or may
 * have been before a restart. Nothing is recorded when a token is signed.
 */
import { type Database, defineStatement, execute } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';

const RECORD_EVERY_MS = 3_600_000;
/** Also how soon a failure is tried again. */
const LOOK_EVERY_MS = 60_000;

// Rows are deleted long after their tokens have expired: an instance whose clock is far ahead would
// delete those that count.
const RECORD = defineStatement(
  'record-token-lifetime',
  `with forgotten as (
     delete from token_lifetime
     where last_used_at < :now::timestamptz - interval '90 days' and lifetime_s <> :lifetime_s
   )
   insert into token_lifetime (lifetime_s, last_used_at) values (:lifetime_s, :now)
   on conflict (lifetime_s)
     do update set last_used_at = greatest(token_lifetime.last_used_at, excluded.last_used_at)`,
);

export interface LifetimeRecorderOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** No token that this instance signs lives longer. */
  readonly longestToken_s: number;
  readonly onError: (error: unknown) => void;
}

export interface LifetimeRecorder {
  /** Resolves once the lifetime is recorded, before which no token may be signed; keeps it so. */
  start(): Promise<void>;
  stop(): void;
}

export function createLifetimeRecorder(options: LifetimeRecorderOptions): LifetimeRecorder {
  const { database, clock, longestToken_s, onError } = options;
  let recordedAt_ms: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function record(): Promise<void> {
    const now = clock.now();
    await execute(database, RECORD, { lifetime_s: longestToken_s, now });
    recordedAt_ms = now.getTime();
  }

  function recordIfDue(): void {
    const now_ms = clock.now().getTime();
    if (recordedAt_ms === undefined || Math.abs(now_ms - recordedAt_ms) >= RECORD_EVERY_MS)
      record().catch(onError);
  }

  return {
    async start() {
      database.onListenGap(() => {
        // A failover may have lost the row.
        recordedAt_ms = undefined;
        recordIfDue();
      });
      await record();
      timer = setInterval(recordIfDue, LOOK_EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}
