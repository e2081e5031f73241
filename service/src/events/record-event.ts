/** Writes events in the transaction that causes them: both are committed, or neither. */
import { defineStatement, execute, type Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { stringifyExact } from '../lib/exact-json.ts';
import type { EventType } from './event-types.ts';

export interface NewEvent {
  /**
   * The user whose stream shows it. Absent: operators' webhooks only, unless it
   * is a broadcast.
   */
  readonly userId?: number;
  /** True: every person's stream shows it. For what happens to the whole network. */
  readonly isBroadcast?: boolean;
  /** Words joined by full stops, thing first, for example `deposit.credited`. */
  readonly type: EventType;
  /**
   * A JSON object, snake_case as on the wire; amounts as `exactAmount`. No secrets: operators
   * receive it.
   */
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event with the time that it shows. */
export interface DatedEvent extends NewEvent {
  readonly createdAt: Date;
}

const INSERT_EVENTS = defineStatement(
  'events-insert',
  `insert into event (user_id, is_broadcast, type, data, created_at)
   select user_id, is_broadcast, type, data, created_at
   from unnest(:user_ids::bigint[], :broadcasts::boolean[], :types::text[], :data::text[],
       :created_at::timestamptz[]) with ordinality
     as item (user_id, is_broadcast, type, data, created_at, n) order by n`,
);

/** Records several events with times of their own, in their order. */
export async function recordDatedEvents(
  tx: Transaction,
  events: readonly DatedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await execute(tx, INSERT_EVENTS, {
    user_ids: events.map((event) => event.userId ?? null),
    broadcasts: events.map((event) => event.isBroadcast ?? false),
    types: events.map((event) => event.type),
    data: events.map((event) => stringifyExact(event.data)),
    created_at: events.map((event) => event.createdAt),
  });
}

/** Records several events that happen now, in their order. */
export function recordEvents(
  tx: Transaction,
  clock: Clock,
  events: readonly NewEvent[],
): Promise<void> {
  const createdAt = clock.now();
  return recordDatedEvents(
    tx,
    events.map((event) => ({ ...event, createdAt })),
  );
}

/**
 * Records one event; it is delivered after the commit, or never when the transaction rolls back.
 */
export async function recordEvent(tx: Transaction, clock: Clock, event: NewEvent): Promise<void> {
  await recordEvents(tx, clock, [event]);
}
