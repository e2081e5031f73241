/** Turns events into deliveries, one per webhook that wants them. */
import { type Database, transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { readCounter } from '../read-events.ts';

const STEP = 1000;

// Positions are given after the commit, so everything up to the last one is there to be read.
const FAN_OUT = `insert into webhook_delivery (webhook_id, event_position, type, body, state, next_attempt_at, created_at)
  select w.id, e.position, e.type,
      '{"type":"' || e.type || '","timestamp":"' || to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
        || case when e.user_id is null then '' else ',"user_id":' || e.user_id end || ',"data":' || e.data || '}',
      'pending', $4, $4
    from webhook w join event e on e.position > $2 and e.position <= $3
    where w.id = $1 and (w.event_types = '{}' or exists (
      select from unnest(w.event_types) as wanted
        where wanted = e.type or (right(wanted, 2) = '.*' and starts_with(e.type, left(wanted, -1)))))
    order by e.position
  on conflict on constraint webhook_delivery_event_key do nothing`;

/** Brings every webhook one step on. @returns true when some have further to go */
async function step(database: Database, clock: Clock): Promise<boolean> {
  return transaction(database, async (tx) => {
    const { lastPosition } = await readCounter(tx);
    const { rows } = await tx.query<{ id: number; position: number }>(
      'select id, position from webhook where is_active and position < $1 order by id for update skip locked',
      [lastPosition],
    );
    for (const { id, position } of rows) {
      const upTo = Math.min(lastPosition, position + STEP);
      await tx.query(FAN_OUT, [id, position, upTo, clock.now()]);
      await tx.query('update webhook set position = $2 where id = $1', [id, upTo]);
    }
    return rows.some(({ position }) => position + STEP < lastPosition);
  });
}

/** Makes the deliveries of all new events. Safe on any number of nodes. */
export async function fanOut(database: Database, clock: Clock): Promise<void> {
  while (await step(database, clock));
}
