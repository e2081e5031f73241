/** Compares settled lines with their reports and the time online, and reports with their hash. */
import { type Db, defineStatement, executeUnprepared, type Statement } from '../db/index.ts';
import {
  bytesInHour,
  IS_AS_SENT,
  IS_OF_LINE,
  REPORT_ORDER,
  REPORTS_HASH,
} from './report-evidence.ts';
import { CHUNK } from './reward-lines.ts';
import { HOUR_MS } from './rules.ts';

/** Reports whose content does not have the hash that was stored on arrival. */
const CHANGED_REPORTS = defineStatement(
  'reward_changed_reports',
  `select 'traffic_report ' || r.client_id || '/' || r.report_id
      || ' is not what the relay sent' as problem
  from traffic_report r join device d on d.id = r.device_id
  where not (${IS_AS_SENT}) and (:since::timestamptz is null or r.to_at >= :since)
  order by r.id limit 10`,
);

/** Lines whose reports are gone, have another id or content, or make up another quantity. */
const OTHER_REPORTS = defineStatement(
  'reward_other_reports',
  `with actual as (
    select l.batch_id, l.leaf, l.quantity, l.reports_hash,
      coalesce(${REPORTS_HASH}, sha256('')) as actual_hash,
      case l.reward_type
        when 'TRAFFIC' then coalesce(sum(${bytesInHour('l.hour')}), 0) else count(r.id)
      end as actual_quantity,
      coalesce(
        string_agg(r.client_id || '/' || r.report_id, ', ' order by ${REPORT_ORDER}), 'none'
      ) as names
    from reward_line l left join traffic_report r on ${IS_OF_LINE}
    where l.batch_id = :batch and l.reports_hash is not null
    group by l.batch_id, l.leaf
  )
  select 'reward_line ' || batch_id || '/' || leaf || case
      when actual_hash <> reports_hash then ' was settled from other reports than there are now: '
      else ' has ' || quantity || ', but its reports make up ' || actual_quantity || ': '
    end || left(names, 300) as problem
  from actual
  where actual_hash <> reports_hash or actual_quantity is distinct from quantity
  order by leaf limit 10`,
);

const ONLINE = `least(coalesce(h.online_ms, 0), ${HOUR_MS})`;

/**
 * Time online never shrinks. It grows when it arrives late, and the next correction settles the
 * difference, unless an operator closed it. Lines older than leaf format 3 had no corrections at
 * first.
 */
const CHANGED_UPTIME = defineStatement(
  'reward_changed_uptime',
  `select 'device_hour ' || l.device_id || ' at '
      || to_char(l.hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24"Z"') || ' has ' || ${ONLINE}
      || ' ms online, but ' || l.quantity
      || ' were settled (reward_line ' || l.batch_id || '/' || l.leaf || ')' as problem
  from reward_line l
    join reward_chunk c on c.batch_id = l.batch_id and c.chunk = l.leaf / ${CHUNK}
    left join device_hour h on h.device_id = l.device_id and h.hour = l.hour
  where l.batch_id = :batch and l.leaf >= :first and l.leaf < :end and l.reward_type = 'UPTIME'
    and (
      ${ONLINE} < l.quantity
      or ${ONLINE} > l.quantity and c.leaf_format = 3
        and not exists (
          select from reward_line o
          where o.user_id = l.user_id and o.hour = l.hour and o.device_id = l.device_id
            and o.reward_type = 'UPTIME' and o.quantity = ${ONLINE}
        )
        and not exists (
          select from late_uptime u where u.device_id = l.device_id and u.hour = l.hour
        )
        and not exists (
          select from reward_batch b
          where b.kind = 'correction' and b.closed_at is not null and b.until > l.hour
        )
    )
  order by l.leaf limit 10`,
);

async function findProblems(
  db: Db,
  statement: Statement,
  values: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const { rows } = await executeUnprepared<{ problem: string }>(db, statement, values);
  return rows.map(({ problem }) => problem);
}

/** @param since about this time or a later one; null: all */
export function findChangedReports(db: Db, since: Date | null): Promise<string[]> {
  return findProblems(db, CHANGED_REPORTS, { since });
}

export function findOtherReports(db: Db, batch: number): Promise<string[]> {
  return findProblems(db, OTHER_REPORTS, { batch });
}

/** Lines of a settlement whose time online was changed since; leaves from `first`, before `end`. */
export function findChangedUptime(
  db: Db,
  batch: number,
  first: number,
  end: number,
): Promise<string[]> {
  return findProblems(db, CHANGED_UPTIME, { batch, first, end });
}
