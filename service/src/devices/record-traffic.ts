/**
 * Records the traffic reports of a relay: idempotent by report ID, and one refusal does not fail
 * the other reports.
 */
import { type Db, defineStatement, execute, type Transaction, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type CodedMessage, fromColumns, toColumns } from '../lib/coded-messages.ts';
import { addUsage } from './add-traffic-usage.ts';
import { bumpDeviceListVersion } from './device-list-version.ts';
import { REFUSAL_REASONS } from './refusal-reasons.ts';
import { type RejectedReport, storeRejectedReports } from './store-rejected-reports.ts';
import {
  checkReport,
  checkReportedDevice,
  hashReport,
  type Refusal,
  type ReportedDevice,
  type ReportRules,
  type TrafficReport,
} from './traffic-report.ts';

export type TrafficResult =
  | { readonly status: 'accepted' | 'replayed' }
  | ({ readonly status: 'refused' } & Refusal);

export interface RecordTrafficDeps {
  readonly clock: Clock;
  readonly window_s: number;
}

interface Candidate extends ReportedDevice {
  readonly node_id: string;
  readonly user_id: number;
}

/** A report as it is stored: with its device, and the reason if it is refused. */
interface Item {
  readonly report: TrafficReport;
  readonly hash: string;
  readonly device?: Candidate;
  readonly refusal?: Refusal;
}

type KnownItem = Item & { readonly device: Candidate };

interface StoredReport {
  readonly report_id: string;
  readonly content_hash: string;
  readonly refusal: Refusal['code'] | null;
  readonly reason_code: string | null;
  readonly reason_values: CodedMessage['values'] | null;
}

const UNKNOWN: Refusal = { code: 'unknown_node', reason: REFUSAL_REASONS.create('no_such_node') };
const REUSED: Refusal = { code: 'report_id_reused', reason: REFUSAL_REASONS.create('id_reused') };

const FIND_CANDIDATES = defineStatement(
  'traffic-find-candidates',
  `select id, node_id, user_id, created_at, cut as revoked_as, cut_at as revoked_at, (
       select coalesce(json_agg(json_build_array(
         extract(epoch from from_at) * 1000, extract(epoch from to_at) * 1000)), '[]')
       from device_gap where device_id = device.id) as disconnections
   from device where node_id = any (:node_ids)
   order by (cut is distinct from 'deleted') desc, cut_at desc nulls first`,
);
const INSERT_REPORTS = defineStatement(
  'traffic-insert-reports',
  `insert into traffic_report (client_id, report_id, device_id, content_hash, bytes_up, bytes_down,
     category, from_at, to_at, refusal, reason_code, reason_values, received_at)
   select :client_id, report_id, device_id, content_hash, bytes_up, bytes_down, category, from_at,
     to_at, refusal, reason_code, reason_values::jsonb, :now
   from unnest(:report_ids::text[], :device_ids::bigint[], :hashes::text[], :up::numeric[],
       :down::numeric[], :categories::text[], :from::timestamptz[], :to::timestamptz[],
       :refusals::text[], :reason_codes::text[], :reason_values::text[])
     as r (report_id, device_id, content_hash, bytes_up, bytes_down, category, from_at, to_at,
       refusal, reason_code, reason_values)
   on conflict (client_id, report_id) do nothing returning report_id`,
);
const FIND_STORED = defineStatement(
  'traffic-find-stored',
  `select report_id, content_hash, refusal, reason_code, reason_values from traffic_report
   where client_id = :client_id and report_id = any (:report_ids)`,
);

/** Every device that ever had one of the nodes: the present one first, then the last deleted. */
async function findCandidates(
  tx: Transaction,
  nodeIds: readonly string[],
): Promise<Map<string, Candidate[]>> {
  const { rows } = await execute<Candidate>(tx, FIND_CANDIDATES, { node_ids: nodeIds });
  return Map.groupBy(rows, (row) => row.node_id);
}

/** How long the owner had the device during a report, in ms. */
function sharedTime(
  { from, to }: TrafficReport,
  { created_at, revoked_as, revoked_at }: Candidate,
): number {
  const end_ms =
    revoked_as === 'deleted' && revoked_at
      ? Math.min(to.getTime(), revoked_at.getTime())
      : to.getTime();
  return end_ms - Math.max(from.getTime(), created_at.getTime());
}

/** A report during which the node changed its owner belongs to the one with most of its time. */
function toItem(report: TrafficReport, candidates: readonly Candidate[], rules: ReportRules): Item {
  const hash = hashReport(report);
  const fitting = candidates.filter(
    (candidate) => checkReportedDevice(report, candidate) === undefined,
  );
  const [device = candidates[0]] = fitting.toSorted(
    (a, b) => sharedTime(report, b) - sharedTime(report, a),
  );
  if (!device) return { report, hash, refusal: UNKNOWN };
  const refusal = checkReport(report, rules) ?? checkReportedDevice(report, device);
  return { report, hash, device, ...(refusal && { refusal }) };
}

/**
 * Stores the reports that are new, in the order of their ids so that parallel batches cannot
 * deadlock.
 */
async function insertNew(
  tx: Transaction,
  clientId: string,
  now: Date,
  items: readonly KnownItem[],
): Promise<ReadonlySet<string>> {
  const sorted = items.toSorted((a, b) => (a.report.reportId < b.report.reportId ? -1 : 1));
  const reports = sorted.map(({ report }) => report);
  const reasons = sorted.map(({ refusal }) => toColumns(refusal?.reason));
  const { rows } = await execute<{ report_id: string }>(tx, INSERT_REPORTS, {
    client_id: clientId,
    now,
    report_ids: reports.map(({ reportId }) => reportId),
    device_ids: sorted.map(({ device }) => device.id),
    hashes: sorted.map(({ hash }) => hash),
    up: reports.map(({ bytesUp }) => String(bytesUp)),
    down: reports.map(({ bytesDown }) => String(bytesDown)),
    categories: reports.map(({ category }) => category ?? null),
    from: reports.map(({ from }) => from),
    to: reports.map(({ to }) => to),
    refusals: sorted.map(({ refusal }) => refusal?.code ?? null),
    reason_codes: reasons.map(({ code }) => code),
    reason_values: reasons.map(({ values }) => values),
  });
  return new Set(rows.map((row) => row.report_id));
}

async function findStored(
  tx: Transaction,
  clientId: string,
  reportIds: readonly string[],
): Promise<Map<string, StoredReport>> {
  if (reportIds.length === 0) return new Map();
  const { rows } = await execute<StoredReport>(tx, FIND_STORED, {
    client_id: clientId,
    report_ids: reportIds,
  });
  return new Map(rows.map((row) => [row.report_id, row]));
}

function toResult(item: Item, isNew: boolean, stored: StoredReport | undefined): TrafficResult {
  if (stored && stored.content_hash !== item.hash) return { status: 'refused', ...REUSED };
  const reason = stored && fromColumns(stored.reason_code, stored.reason_values);
  if (stored?.refusal && reason) return { status: 'refused', code: stored.refusal, reason };
  if (stored) return { status: 'replayed' };
  if (item.refusal) return { status: 'refused', ...item.refusal };
  return { status: isNew ? 'accepted' : 'replayed' };
}

const isKnown = (item: Item): item is KnownItem => item.device !== undefined;

interface RecordedItem {
  readonly item: Item;
  readonly result: TrafficResult;
}

async function record(
  tx: Transaction,
  deps: RecordTrafficDeps,
  clientId: string,
  reports: readonly TrafficReport[],
): Promise<RecordedItem[]> {
  const now = deps.clock.now();
  const candidates = await findCandidates(tx, [...new Set(reports.map((report) => report.nodeId))]);
  const items = reports.map((report) =>
    toItem(report, candidates.get(report.nodeId) ?? [], { now, window_s: deps.window_s }),
  );
  // Of several reports with one ID the first counts; the others are compared with it.
  const firsts = new Map(items.toReversed().map((item) => [item.report.reportId, item]));
  const known = [...firsts.values()].filter(isKnown);
  const inserted = await insertNew(tx, clientId, now, known);
  const isNew = (item: Item): boolean =>
    firsts.get(item.report.reportId) === item && inserted.has(item.report.reportId);
  const accepted = known.filter((item) => isNew(item) && !item.refusal);
  const usage = accepted.map(({ device, report }) => ({ deviceId: device.id, report }));
  await addUsage(tx, now, usage);
  const userIds = accepted.map(({ device }) => device.user_id);
  await bumpDeviceListVersion(tx, userIds);
  const repeated = items.filter((item) => !isNew(item)).map(({ report }) => report.reportId);
  const stored = await findStored(tx, clientId, repeated);
  return items.map((item) => {
    const earlier = isNew(item) ? undefined : stored.get(item.report.reportId);
    return { item, result: toResult(item, isNew(item), earlier) };
  });
}

/**
 * A report whose ID another one has is not stored as a report. It is shown to the owner of the
 * device at its time.
 */
function toRejected({ item: { report, hash, device } }: RecordedItem): RejectedReport {
  const { reportId, nodeId, bytesUp, bytesDown, from, to } = report;
  return {
    ...REUSED,
    reportId,
    nodeId,
    content: `${reportId} ${hash}`,
    ...(device && { deviceId: device.id }),
    measured: { bytes: bytesUp + bytesDown, from, to },
  };
}

const isReused = ({ result }: RecordedItem): boolean =>
  result.status === 'refused' && result.code === REUSED.code;

/** Records reports of one relay; the results are in the order of the reports. */
export async function recordTraffic(
  db: Db,
  deps: RecordTrafficDeps,
  clientId: string,
  reports: readonly TrafficReport[],
): Promise<TrafficResult[]> {
  const recorded = await transaction(db, (tx) => record(tx, deps, clientId, reports));
  const rejected = recorded.filter(isReused).map(toRejected);
  await storeRejectedReports(db, deps.clock, clientId, rejected);
  return recorded.map(({ result }) => result);
}
