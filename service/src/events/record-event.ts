/** Writes events in the transaction that they tell of: both are committed, or neither. */
import type { Transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { stringifyExact } from '../lib/exact-json.ts';
import type { EventType } from './event-types.ts';

export interface NewEvent {
  /** The person whom it is about: their stream shows it. Absent: operators' webhooks only, unless it is a broadcast. */
  readonly userId?: number;
  /** True: every person's stream shows it. For what happens to the whole network. */
  readonly isBroadcast?: boolean;
  /** Words joined by full stops, thing first, for example `deposit.credited`. */
  readonly type: EventType;
  /** A JSON object, snake_case as on the wire; amounts as `exactAmount`. No secrets: operators receive it. */
  readonly data: Readonly<Record<string, unknown>>;
}

const INSERT = `insert into event (user_id, is_broadcast, type, data, created_at)
  select user_id, is_broadcast, type, data, $5 from unnest($1::bigint[], $2::boolean[], $3::text[], $4::text[])
    with ordinality as item (user_id, is_broadcast, type, data, n) order by n`;

/** Records several events, in their order. */
export async function recordEvents(
  tx: Transaction,
  clock: Clock,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await tx.query(INSERT, [
    events.map((event) => event.userId ?? null),
    events.map((event) => event.isBroadcast ?? false),
    events.map((event) => event.type),
    events.map((event) => stringifyExact(event.data)),
    clock.now(),
  ]);
}

/** Records one event; it is delivered after the commit, or never when the transaction rolls back. */
export async function recordEvent(tx: Transaction, clock: Clock, event: NewEvent): Promise<void> {
  await recordEvents(tx, clock, [event]);
}
