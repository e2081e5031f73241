/** The usage reports that a proof shows. */
import type { Db } from '../../db/index.ts';
import { bytesInHour, IS_AS_SENT, IS_OF_LINE, reachesInto } from '../report-evidence.ts';
import type { Line } from '../reward-lines.ts';
import type { Proof } from './proof.ts';

interface ReportRow {
  readonly client_id: string;
  readonly report_id: string;
  readonly bytes_up: string;
  readonly bytes_down: string;
  readonly category: string | null;
  readonly from_at: Date;
  readonly to_at: Date;
  readonly is_as_sent: boolean;
}

const REPORTS = `select r.client_id, r.report_id, r.bytes_up, r.bytes_down, r.category, r.from_at, r.to_at, ${IS_AS_SENT} as is_as_sent`;

const COUNTED = `${REPORTS} from reward_line l join traffic_report r on ${IS_OF_LINE} join device d on d.id = r.device_id
  where l.batch_id = $1 and l.leaf = $2 order by r.client_id collate "C", r.report_id collate "C"`;

// Settled before reports were noted: as many, in the order they came, as make up the quantity.
const FIRST = `${REPORTS}
  from (select *, sum(bytes) over (order by received_at, client_id, report_id) - bytes as before
    from (select r.*, ${bytesInHour('$3::timestamptz')} as bytes from traffic_report r
      where r.device_id = $1 and r.refusal is null and coalesce(r.category, '') = $2 and ${reachesInto('$3::timestamptz')}) as reaching) r
    join device d on d.id = r.device_id
  where r.before < $4::numeric order by r.received_at, r.client_id, r.report_id`;

function query(db: Db, line: Line) {
  if (line.reportsHash !== null) return db.query<ReportRow>(COUNTED, [line.batchId, line.leaf]);
  return db.query<ReportRow>(FIRST, [line.deviceId, line.part, line.hour, line.quantity]);
}

export interface FoundReports {
  readonly reports: Proof['reports'];
  /** Those that were changed after they had come. */
  readonly changed: readonly string[];
}

/** The reports that were counted when the line was settled. */
export async function findReports(db: Db, line: Line): Promise<FoundReports> {
  if (line.reportsHash === null && line.rewardType !== 'TRAFFIC')
    return { reports: [], changed: [] };
  const { rows } = await query(db, line);
  return {
    reports: rows.map(
      ({ client_id, report_id, bytes_up, bytes_down, category, from_at, to_at }) => ({
        client_id,
        report_id,
        bytes_up,
        bytes_down,
        category: category ?? '',
        from: from_at.toISOString(),
        to: to_at.toISOString(),
      }),
    ),
    changed: rows
      .filter(({ is_as_sent }) => !is_as_sent)
      .map(({ client_id, report_id }) => `${client_id}/${report_id}`),
  };
}
