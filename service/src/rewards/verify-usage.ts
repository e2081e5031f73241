/** Compares what was settled with what was measured: reports with what relays sent, lines with their reports and with the time online. */
import type { Db, Transaction } from '../db/index.ts';
import { bytesInHour, IS_AS_SENT, IS_OF_LINE, REPORTS_HASH } from './report-evidence.ts';
import { CHUNK } from './reward-lines.ts';
import { HOUR_MS } from './rules.ts';

interface Problem {
  readonly problem: string;
}

/** Every report has the hash of what came. */
const CHANGED_REPORTS = `select 'traffic_report ' || r.client_id || '/' || r.report_id || ' is not what the relay sent' as problem
  from traffic_report r join device d on d.id = r.device_id where not (${IS_AS_SENT}) order by r.id limit 10`;

/** Lines whose reports are gone, have other names or contents, or make up something else. */
const OTHER_REPORTS = `with made as (
    select l.leaf, l.quantity, l.reports_hash, coalesce(${REPORTS_HASH}, sha256('')) as found_hash,
      case l.reward_type when 'TRAFFIC' then coalesce(sum(${bytesInHour('l.hour')}), 0) else count(r.id) end as makes,
      coalesce(string_agg(r.client_id || '/' || r.report_id, ', ' order by r.client_id collate "C", r.report_id collate "C"), 'none') as names
    from reward_line l left join traffic_report r on ${IS_OF_LINE}
    where l.batch_id = $1 and l.reports_hash is not null
    group by l.batch_id, l.leaf)
  select 'reward_line ' || $1::bigint || '/' || leaf || case when found_hash <> reports_hash then ' was settled from other reports than there are now: '
      else ' has ' || quantity || ', but its reports make up ' || makes || ': ' end || left(names, 300) as problem
  from made where found_hash <> reports_hash or makes is distinct from quantity order by leaf limit 10`;

const ONLINE = `least(coalesce(h.online_ms, 0), ${HOUR_MS})`;

/**
 * Time online never shrinks. It grows where it came late, and is corrected then: until the next correction, unless an
 * operator closed that one. What was settled before leaves had their third format was not corrected from the beginning.
 */
const CHANGED_UPTIME = `select 'device_hour ' || l.device_id || ' at ' || to_char(l.hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24"Z"') || ' has ' || ${ONLINE}
      || ' ms online, but ' || l.quantity || ' were settled (reward_line ' || l.batch_id || '/' || l.leaf || ')' as problem
  from reward_line l join reward_chunk c on c.batch_id = l.batch_id and c.chunk = l.leaf / ${CHUNK}
    left join device_hour h on h.device_id = l.device_id and h.hour = l.hour
  where l.batch_id = $1 and l.leaf >= $2 and l.leaf < $3 and l.reward_type = 'UPTIME'
    and (${ONLINE} < l.quantity or ${ONLINE} > l.quantity and c.leaf_format = 3
      and not exists (select from reward_line o where o.user_id = l.user_id and o.hour = l.hour and o.device_id = l.device_id and o.reward_type = 'UPTIME'
        and o.quantity = ${ONLINE})
      and not exists (select from late_uptime u where u.device_id = l.device_id and u.hour = l.hour)
      and not exists (select from reward_batch b where b.kind = 'correction' and b.closed_at is not null and b.until > l.hour))
  order by l.leaf limit 10`;

async function namesOf(db: Db, query: string, values: readonly unknown[]): Promise<string[]> {
  return (await db.query<Problem>(query, values)).rows.map(({ problem }) => problem);
}

export function findChangedReports(tx: Transaction): Promise<string[]> {
  return namesOf(tx, CHANGED_REPORTS, []);
}

export function findOtherReports(tx: Transaction, batchId: number): Promise<string[]> {
  return namesOf(tx, OTHER_REPORTS, [batchId]);
}

/** Lines of a batch whose time online was changed since; leaves from `first`, before `end`. */
export function findChangedUptime(
  db: Db,
  batchId: number,
  first: number,
  end: number,
): Promise<string[]> {
  return namesOf(db, CHANGED_UPTIME, [batchId, first, end]);
}
