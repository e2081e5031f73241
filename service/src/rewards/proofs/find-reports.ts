/** The traffic reports of a proof. */
import { type Db, defineStatement, executeUnprepared } from '../../db/index.ts';
import {
  bytesInHour,
  IS_AS_SENT,
  IS_OF_LINE,
  overlapsHour,
  REPORT_ORDER,
} from '../report-evidence.ts';
import type { Line } from '../reward-lines.ts';
import type { LineProof } from './proof.ts';

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

const COLUMNS = `r.client_id, r.report_id, r.bytes_up, r.bytes_down, r.category, r.from_at,
    r.to_at, ${IS_AS_SENT} as is_as_sent`;

const RECORDED = defineStatement(
  'reward_reports_recorded',
  `select ${COLUMNS}
  from reward_line l
    join traffic_report r on ${IS_OF_LINE}
    join device d on d.id = r.device_id
  where l.batch_id = :batch and l.leaf = :leaf order by ${REPORT_ORDER}`,
);

/** Before reports were recorded: the first ones, in the order of arrival, up to the quantity. */
const FIRST = defineStatement(
  'reward_reports_first',
  `select ${COLUMNS}
  from (
      select *, sum(bytes) over (order by received_at, client_id, report_id) - bytes as before
      from (
        select r.*, ${bytesInHour(':hour::timestamptz')} as bytes from traffic_report r
        where r.device_id = :device and r.refusal is null
          and coalesce(r.category, '') = :category and ${overlapsHour(':hour::timestamptz')}
      ) overlapping
    ) r
    join device d on d.id = r.device_id
  where r.before < :quantity::numeric order by r.received_at, r.client_id, r.report_id`,
);

function readReports(db: Db, line: Line) {
  if (line.reportsHash !== null)
    return executeUnprepared<ReportRow>(db, RECORDED, {
      batch: line.settlementId,
      leaf: line.leaf,
    });
  return executeUnprepared<ReportRow>(db, FIRST, {
    device: line.deviceId,
    category: line.part,
    hour: line.hour,
    quantity: line.quantity,
  });
}

export interface FoundReports {
  readonly reports: LineProof['reports'];
  /** Reports that were changed after their arrival. */
  readonly changed: readonly string[];
}

/** The reports that the line was settled with. */
export async function findReports(db: Db, line: Line): Promise<FoundReports> {
  if (line.reportsHash === null && line.rewardType !== 'TRAFFIC')
    return { reports: [], changed: [] };
  const { rows } = await readReports(db, line);
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
