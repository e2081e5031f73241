/**
 * Polling interval of the device flow (RFC 8628 3.5): a device that polls too early gets
 * `slow_down`, and its interval is five seconds longer from then on, on all instances.
 */
import { type Db, defineStatement, execute } from '../../db/index.ts';

/** The default of RFC 8628; the answer to the device contains it. */
export const POLL_EVERY_S = 5;
const SLOWER_BY_S = 5;
/** The network may have delayed this request less than the one before. */
const TOLERANCE_S = 0.5;

// Only while the user has not decided. The commit is asynchronous: losing the time of a poll in a
// power failure is harmless.
const COUNT_POLL = defineStatement(
  'device-poll',
  `with waiting as (
     select id, coalesce(poll_every_s, ${POLL_EVERY_S}) as every_s,
       coalesce(polled_at > :now::timestamptz
         - make_interval(secs => coalesce(poll_every_s, ${POLL_EVERY_S}) - ${TOLERANCE_S}), false)
         as is_early
     from oidc_object
     where model = 'DeviceCode' and id = :id and expires_at > :now
       and payload->>'clientId' = :client_id
       and payload->>'accountId' is null and payload->>'error' is null
     for update)
   update oidc_object o set polled_at = :now,
     poll_every_s = every_s + case when is_early then ${SLOWER_BY_S} else 0 end
   from waiting where o.model = 'DeviceCode' and o.id = waiting.id
   returning is_early, set_config('synchronous_commit', 'off', true)`,
);

/**
 * Counts a poll for the device code with this stored id. True: it came too early, and the interval
 * is longer now.
 */
export async function isPollingTooFast(
  db: Db,
  now: Date,
  id: string,
  clientId: string,
): Promise<boolean> {
  const values = { id, client_id: clientId, now };
  const { rows } = await execute<{ is_early: boolean }>(db, COUNT_POLL, values);
  return rows[0]?.is_early === true;
}
