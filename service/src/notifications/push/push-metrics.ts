/** What waits for browsers, since when, and what became of what was sent, for Prometheus. */
import { Counter } from 'prom-client';
import type { Db } from '../../db/index.ts';
import type { Metrics } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { COUNTED_MAX } from '../../lib/counted-max.ts';

/**
 * `refused`, `late`: the message is dropped. `retried`: it is sent again later. `gone`, `given_up`:
 * its browser is dropped.
 */
const OUTCOMES = ['delivered', 'retried', 'refused', 'gone', 'late', 'given_up'] as const;
export type PushOutcome = (typeof OUTCOMES)[number];

interface WaitingPushes {
  /** `failing`: the push service of the browser did not take the last message. */
  readonly state: 'waiting' | 'failing';
  readonly count: number;
  readonly oldest_at: Date;
}

// In the order of the index: what has been due longest is counted first, so that the oldest is
// among it. Later notifications have higher numbers, so the first one is found by its number.
const count = (state: WaitingPushes['state']): string =>
  `select '${state}' as state, count(*)::int as count, min(notification_id) as first_id from (
     select m.notification_id
     from push_subscription s join push_message m on m.subscription_id = s.id
     where least(s.failures, 1) = ${state === 'waiting' ? 0 : 1}
       and coalesce(s.claimed_until, s.due_at) is not null
     order by coalesce(s.claimed_until, s.due_at) limit $1) counted`;
const READ_WAITING = `select w.state, w.count, n.created_at as oldest_at
  from (${count('waiting')} union all ${count('failing')}) w
  join notification n on n.id = w.first_id`;

/** Messages that wait, one for each browser and notification, up to `max` of each state. */
async function readWaitingPushes(db: Db, max: number): Promise<WaitingPushes[]> {
  return (await db.query<WaitingPushes>(READ_WAITING, [max])).rows;
}

const ageOf_s = (clock: Clock, at: Date): number =>
  Math.max(0, (clock.now().getTime() - at.getTime()) / 1000);

/**
 * Messages that wait, those of failing push services included, up to 10,000 of each, and the age in
 * seconds of the oldest notification that waits for its turn; 0: none waits.
 */
export async function measurePushes(
  db: Db,
  clock: Clock,
): Promise<{ readonly waiting: number; readonly oldest_s: number }> {
  const all = await readWaitingPushes(db, COUNTED_MAX);
  const waiting = all.find(({ state }) => state === 'waiting');
  return {
    waiting: all.reduce((sum, { count }) => sum + count, 0),
    oldest_s: waiting ? ageOf_s(clock, waiting.oldest_at) : 0,
  };
}

type Figures = Record<WaitingPushes['state'], number>;

/** @returns told what became of each message */
export function registerPushMetrics(
  metrics: Metrics,
  db: Db,
  clock: Clock,
  max = COUNTED_MAX,
): (outcome: PushOutcome) => void {
  const figuresOf = async (figure: (waiting: WaitingPushes) => number): Promise<Figures> => {
    const figures: Figures = { waiting: 0, failing: 0 };
    for (const waiting of await readWaitingPushes(db, max))
      figures[waiting.state] = figure(waiting);
    return figures;
  };
  metrics.gauge(
    'edge_account_push_queue',
    'Pushes that wait (failing: the push service did not take the last one), each up to 10,000.',
    'state',
    () => figuresOf(({ count }) => count),
  );
  metrics.gauge(
    'edge_account_push_oldest_seconds',
    'Age of the oldest notification that waits to be pushed.',
    'state',
    () => figuresOf(({ oldest_at }) => ageOf_s(clock, oldest_at)),
  );
  const deliveries = new Counter({
    name: 'edge_account_push_deliveries_total',
    help: 'Pushes by outcome; refused, late: dropped; gone, given_up: with their browser.',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  for (const outcome of OUTCOMES) deliveries.inc({ outcome }, 0);
  return (outcome) => deliveries.inc({ outcome });
}
