import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countCommunityQueue } from '../src/community/queue-metrics.ts';
import type { Database } from '../src/db/index.ts';
import { countOnHold } from '../src/deposits/queries.ts';
import { countDeliveries } from '../src/events/webhooks/webhook-metrics.ts';
import { createMetrics } from '../src/http/index.ts';
import { createManualClock } from '../src/lib/clock.ts';
import { registerPushMetrics } from '../src/notifications/push/push-metrics.ts';
import { countLogoutNotices } from '../src/oidc/logout/deliver-logouts.ts';
import { openTestDatabase, queryAsOwner, RUN_ENGINES } from './support/databases.ts';

describe.each(RUN_ENGINES)('what waits is counted up to a limit on %s', (engine) => {
  const clock = createManualClock('2026-12-01T00:00:00Z');
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  /** Rows that belong to nothing: constraints are of no concern to a count. */
  const add = (sql: string) =>
    queryAsOwner(
      database,
      `set session_replication_role = replica; ${sql};
      set session_replication_role = default`,
    );

  test('logout tokens', async () => {
    await add(`insert into logout_notice (client_id, user_id, sid, next_attempt_at, created_at)
      select 'app', 1, 's', case when n > 4 then now() end, now() from generate_series(1, 9) n`);
    expect(await countLogoutNotices(database)).toEqual({ waiting: 5, failed: 4 });
    expect(await countLogoutNotices(database, 5)).toEqual({ waiting: 5, failed: 4 });
    expect(await countLogoutNotices(database, 3)).toEqual({ waiting: 3, failed: 3 });
  });

  test('deliveries, of all webhooks together', async () => {
    await add(`insert into webhook (url, description, event_types, secret, position, created_by,
        created_at) select '', '', '{}', '', 0, '', now() from generate_series(1, 2);
      insert into webhook_delivery (webhook_id, type, body, state, next_attempt_at, created_at)
        select id, '', '', s, now(), now() from webhook,
          unnest(array['pending', 'pending', 'pending', 'dead', 'dead', 'delivered']) s`);
    expect(await countDeliveries(database)).toEqual({ pending: 6, dead: 4 });
    expect(await countDeliveries(database, 5)).toEqual({ pending: 5, dead: 4 });
    expect(await countDeliveries(database, 2)).toEqual({ pending: 2, dead: 2 });
  });

  test('events of the referral tree, the oldest of them', async () => {
    await add(`insert into community_event (kind, user_id)
      select case when n > 4 then 'amount' else 'join' end, n from generate_series(1, 9) n`);
    expect(await countCommunityQueue(database)).toEqual({ join: 4, amount: 5, rename: 0 });
    expect(await countCommunityQueue(database, 6)).toEqual({ join: 4, amount: 2, rename: 0 });
  });

  test('pushes, what has been due longest first', async () => {
    await add(`insert into notification (user_id, kind, code, details, cause, created_at)
        select 1, 'deposit', 'deposit_credited', '{}', 'test/' || n,
          '2026-12-01T00:00:00Z'::timestamptz - n * interval '1 minute'
        from generate_series(9, 1, -1) n;
      insert into push_subscription (user_id, sid, endpoint_hash, target_sealed, sealed, language,
          created_at, failures, due_at)
        select 1, n::text, n::text::bytea, '', '', 'en', created_at, n.id % 2, n.created_at
        from notification n;
      insert into push_message (subscription_id, notification_id)
        select s.id, n.id from push_subscription s join notification n on n.created_at = s.due_at`);
    const read = async (max?: number): Promise<string> => {
      const metrics = createMetrics();
      registerPushMetrics(metrics, database, clock, max);
      return metrics.registry.metrics();
    };
    const all = await read();
    expect(all).toContain('edge_account_push_queue{state="waiting"} 4');
    expect(all).toContain('edge_account_push_queue{state="failing"} 5');
    const limited = await read(2);
    for (const text of [all, limited]) {
      expect(text).toContain('edge_account_push_oldest_seconds{state="failing"} 540');
      expect(text).toContain('edge_account_push_oldest_seconds{state="waiting"} 480');
    }
    expect(limited).toContain('edge_account_push_queue{state="waiting"} 2');
    expect(limited).toContain('edge_account_push_queue{state="failing"} 2');
  });

  test('deposits on hold', async () => {
    await add(`insert into deposit (network, tx_hash, ordinal, user_id, address_id, currency,
        raw_amount, decimals, amount, block_number, block_hash, required_confirmations, status,
        detected_at)
      select 'ETHEREUM', n::text, 0, 1, 1, 'EDGE', 1, 0, 1, 1, '', 1,
        case when n > 4 then 'on_hold' else 'confirming' end, now() from generate_series(1, 9) n`);
    expect(await countOnHold(database)).toBe(5);
    expect(await countOnHold(database, 5)).toBe(5);
    expect(await countOnHold(database, 2)).toBe(2);
  });
});
