/**
 * How often a device may ask whether its person has decided (RFC 8628 3.5): one that asks before its time is told to
 * slow down, and waits five seconds longer from then on, whichever nodes it asks.
 */
import type { Db } from '../../db/index.ts';

/** What RFC 8628 says when nothing is said; the answer to the device names it. */
export const POLL_EVERY_S = 5;
const SLOWER_BY_S = 5;
/** A request may have been a little faster on its way than the one before. */
const TOLERANCE_S = 0.5;

// Only while the person has not decided. Losing the time of a poll in a power failure costs nothing.
const PACE = `with waiting as (
    select id, coalesce(poll_every_s, ${POLL_EVERY_S}) as every_s,
      coalesce(polled_at > $3::timestamptz - make_interval(secs => coalesce(poll_every_s, ${POLL_EVERY_S}) - ${TOLERANCE_S}), false) as is_early
    from oidc_object where model = 'DeviceCode' and id = $1 and expires_at > $3 and payload->>'clientId' = $2
      and payload->>'accountId' is null and payload->>'error' is null for update)
  update oidc_object o set polled_at = $3, poll_every_s = every_s + case when is_early then ${SLOWER_BY_S} else 0 end
  from waiting where o.model = 'DeviceCode' and o.id = waiting.id
  returning is_early, set_config('synchronous_commit', 'off', true)`;

/** Counts a poll for the code with this stored id. True: it came before its time, and the next has to wait longer. */
export async function isPollingTooFast(
  db: Db,
  now: Date,
  id: string,
  clientId: string,
): Promise<boolean> {
  const { rows } = await db.prepared<{ is_early: boolean }>('device-poll', PACE, [
    id,
    clientId,
    now,
  ]);
  return rows[0]?.is_early === true;
}
