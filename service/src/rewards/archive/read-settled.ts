/** Reads a settlement from the database, as an archive has it. */
import { type Db, defineStatement, executeUnprepared } from '../../db/index.ts';
import { listBuckets, partsOf } from '../buckets.ts';
import { IS_OF_LINE, REPORT_ORDER } from '../report-evidence.ts';
import { CHUNK, type Line, readBillIds, readLines } from '../reward-lines.ts';
import type { Settlement } from '../settlements.ts';
import type { ArchivedLine, ArchivedReport } from './archive-columns.ts';

/** Lines read at once. */
const STEP_LINES = 8 * CHUNK;

interface Range {
  readonly first: number;
  readonly count: number;
}

/** Consecutive ranges of the leaves of a settlement. */
async function listRanges(db: Db, { id, lines }: Settlement): Promise<Range[]> {
  return partsOf(lines, await listBuckets(db, id)).flatMap((part) =>
    Array.from({ length: Math.ceil(part.lines / STEP_LINES) }, (_, step) => ({
      first: part.first + step * STEP_LINES,
      count: Math.min(STEP_LINES, part.lines - step * STEP_LINES),
    })),
  );
}

const COUNT_REPORTS = defineStatement(
  'reward_archive_counts',
  `select leaf, cardinality(report_ids) as reports from reward_line
  where batch_id = :batch and leaf >= :first and leaf < :end and report_ids <> '{}'`,
);

async function countReports(
  db: Db,
  settlementId: number,
  { first, count }: Range,
): Promise<ReadonlyMap<number, number>> {
  const values = { batch: settlementId, first, end: first + count };
  const { rows } = await executeUnprepared<{ leaf: number; reports: number }>(
    db,
    COUNT_REPORTS,
    values,
  );
  return new Map(rows.map(({ leaf, reports }) => [leaf, reports]));
}

/** The lines in the order of their leaves. */
export async function* readSettledLines(
  db: Db,
  settlement: Settlement,
): AsyncGenerator<ArchivedLine> {
  let reportsAt = settlement.lines;
  for (const range of await listRanges(db, settlement)) {
    const lines = await readLines(db, settlement.id, range.first, range.count);
    const bills = await readBillIds(db, settlement.id, range.first, range.count);
    const counts = await countReports(db, settlement.id, range);
    for (const line of lines) {
      const reports = counts.get(line.leaf) ?? 0;
      yield { line, billId: bills.get(line.leaf) ?? null, reportsAt, reports };
      reportsAt += reports;
    }
  }
}

const READ_REPORTS = defineStatement(
  'reward_archive_reports',
  `select l.leaf, l.reward_type, encode(l.reports_hash, 'hex') as reports_hash, r.client_id,
    r.report_id, d.node_id, r.bytes_up, r.bytes_down, r.category, r.from_at, r.to_at, r.refusal
  from reward_line l
    join traffic_report r on ${IS_OF_LINE}
    join device d on d.id = r.device_id
  where l.batch_id = :batch and l.leaf >= :first and l.leaf < :end and l.report_ids <> '{}'
  order by l.leaf, ${REPORT_ORDER}`,
);

interface ReportRow {
  readonly leaf: number;
  readonly reward_type: string;
  readonly reports_hash: string;
  readonly client_id: string;
  readonly report_id: string;
  readonly node_id: string;
  readonly bytes_up: string;
  readonly bytes_down: string;
  readonly category: string | null;
  readonly from_at: Date;
  readonly to_at: Date;
  readonly refusal: string | null;
}

const toArchived = (row: ReportRow): ArchivedReport => ({
  leaf: row.leaf,
  clientId: row.client_id,
  report: {
    reportId: row.report_id,
    nodeId: row.node_id,
    bytesUp: BigInt(row.bytes_up),
    bytesDown: BigInt(row.bytes_down),
    ...(row.category !== null && { category: row.category }),
    from: row.from_at,
    to: row.to_at,
  },
  refusal: row.refusal,
});

export interface ReportsOfLine {
  readonly line: Pick<Line, 'leaf' | 'rewardType' | 'reportsHash'>;
  readonly reports: readonly ArchivedReport[];
}

/** The reports of each line that has some, in the order of the leaves. */
export async function* readSettledReports(
  db: Db,
  settlement: Settlement,
): AsyncGenerator<ReportsOfLine> {
  for (const { first, count } of await listRanges(db, settlement)) {
    const values = { batch: settlement.id, first, end: first + count };
    const { rows } = await executeUnprepared<ReportRow>(db, READ_REPORTS, values);
    for (const [leaf, ofLine] of Map.groupBy(rows, (row) => row.leaf)) {
      const { reward_type: rewardType = '', reports_hash: reportsHash = '' } = ofLine[0] ?? {};
      yield { line: { leaf, rewardType, reportsHash }, reports: ofLine.map(toArchived) };
    }
  }
}
