/** Records what a relay measured: idempotent by report id, one refusal never fails its neighbours. */
import { type Db, type Transaction, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { addUsage } from './add-traffic-usage.ts';
import { bumpDeviceListVersion } from './device-list-version.ts';
import { REFUSAL_REASONS } from './refusal-reasons.ts';
import { type RefusedReport, storeRejectedReports } from './store-rejected-reports.ts';
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

/** A report as it will be stored: with its device, and why it is refused, if it is. */
interface Item {
  readonly report: TrafficReport;
  readonly hash: string;
  readonly device?: Candidate;
  readonly refusal?: Refusal;
}

interface StoredReport {
  readonly report_id: string;
  readonly content_hash: string;
  readonly refusal: Refusal['code'] | null;
  readonly refusal_reason: string | null;
}

const UNKNOWN: Refusal = { code: 'unknown_node', reason: REFUSAL_REASONS.say('no_such_node') };
const REUSED: Refusal = { code: 'report_id_reused', reason: REFUSAL_REASONS.say('id_reused') };

/** Every device that ever had one of the nodes: the living one first, then those deleted last. */
async function findCandidates(
  tx: Transaction,
  nodeIds: readonly string[],
): Promise<Map<string, Candidate[]>> {
  const { rows } = await tx.query<Candidate>(
    `select id, node_id, user_id, created_at, cut, cut_at, (
        select coalesce(json_agg(json_build_array(extract(epoch from from_at) * 1000, extract(epoch from to_at) * 1000)), '[]')
        from device_gap where device_id = device.id) as gaps
     from device where node_id = any ($1)
     order by (cut is distinct from 'deleted') desc, cut_at desc nulls first`,
    [nodeIds],
  );
  return Map.groupBy(rows, (row) => row.node_id);
}

/** How much of the time of a report a device was its owner's, in ms. */
function sharedTime({ from, to }: TrafficReport, { created_at, cut, cut_at }: Candidate): number {
  const end_ms =
    cut === 'deleted' && cut_at ? Math.min(to.getTime(), cut_at.getTime()) : to.getTime();
  return end_ms - Math.max(from.getTime(), created_at.getTime());
}

/** A report of the time when the node changed hands belongs to whoever had it for most of that time. */
function judge(report: TrafficReport, candidates: readonly Candidate[], rules: ReportRules): Item {
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

const INSERT = `insert into traffic_report (client_id, report_id, device_id, content_hash, bytes_up, bytes_down, category, from_at, to_at,
    refusal, refusal_reason, received_at)
  select $1, r.*, $2 from unnest($3::text[], $4::bigint[], $5::text[], $6::numeric[], $7::numeric[], $8::text[], $9::timestamptz[],
    $10::timestamptz[], $11::text[], $12::text[]) as r
  on conflict (client_id, report_id) do nothing returning report_id`;

/** Stores the reports that are new, in the order of their ids so that parallel batches cannot deadlock. */
async function insertNew(
  tx: Transaction,
  clientId: string,
  now: Date,
  items: readonly (Item & { device: Candidate })[],
): Promise<ReadonlySet<string>> {
  const sorted = items.toSorted((a, b) => (a.report.reportId < b.report.reportId ? -1 : 1));
  const column = <T>(read: (item: Item & { device: Candidate }) => T): T[] => sorted.map(read);
  const { rows } = await tx.query<{ report_id: string }>(INSERT, [
    clientId,
    now,
    column((item) => item.report.reportId),
    column((item) => item.device.id),
    column((item) => item.hash),
    column((item) => String(item.report.bytesUp)),
    column((item) => String(item.report.bytesDown)),
    column((item) => item.report.category ?? null),
    column((item) => item.report.from),
    column((item) => item.report.to),
    column((item) => item.refusal?.code ?? null),
    column((item) => item.refusal?.reason ?? null),
  ]);
  return new Set(rows.map((row) => row.report_id));
}

async function findStored(
  tx: Transaction,
  clientId: string,
  reportIds: readonly string[],
): Promise<Map<string, StoredReport>> {
  if (reportIds.length === 0) return new Map();
  const { rows } = await tx.query<StoredReport>(
    'select report_id, content_hash, refusal, refusal_reason from traffic_report where client_id = $1 and report_id = any ($2)',
    [clientId, reportIds],
  );
  return new Map(rows.map((row) => [row.report_id, row]));
}

function resultOf(item: Item, isNew: boolean, stored: StoredReport | undefined): TrafficResult {
  if (stored && stored.content_hash !== item.hash) return { status: 'refused', ...REUSED };
  if (stored?.refusal)
    return { status: 'refused', code: stored.refusal, reason: stored.refusal_reason ?? '' };
  if (stored) return { status: 'replayed' };
  if (item.refusal) return { status: 'refused', ...item.refusal };
  return { status: isNew ? 'accepted' : 'replayed' };
}

const isKnown = (item: Item): item is Item & { device: Candidate } => item.device !== undefined;

interface Judged {
  readonly item: Item;
  readonly result: TrafficResult;
}

async function record(
  tx: Transaction,
  deps: RecordTrafficDeps,
  clientId: string,
  reports: readonly TrafficReport[],
): Promise<Judged[]> {
  const now = deps.clock.now();
  const candidates = await findCandidates(tx, [...new Set(reports.map((report) => report.nodeId))]);
  const items = reports.map((report) =>
    judge(report, candidates.get(report.nodeId) ?? [], { now, window_s: deps.window_s }),
  );
  const firsts = new Map<string, Item>();
  for (const item of items)
    if (!firsts.has(item.report.reportId)) firsts.set(item.report.reportId, item);
  const fresh = await insertNew(tx, clientId, now, [...firsts.values()].filter(isKnown));
  const accepted = [...firsts.values()]
    .filter(isKnown)
    .filter((item) => fresh.has(item.report.reportId) && !item.refusal);
  await addUsage(
    tx,
    now,
    accepted.map(({ device, report }) => ({ deviceId: device.id, report })),
  );
  await bumpDeviceListVersion(
    tx,
    accepted.map(({ device }) => device.user_id),
  );
  const repeated = items.filter(
    (item) => firsts.get(item.report.reportId) !== item || !fresh.has(item.report.reportId),
  );
  const stored = await findStored(
    tx,
    clientId,
    repeated.map((item) => item.report.reportId),
  );
  return items.map((item) => {
    const isNew = firsts.get(item.report.reportId) === item && fresh.has(item.report.reportId);
    return {
      item,
      result: resultOf(item, isNew, isNew ? undefined : stored.get(item.report.reportId)),
    };
  });
}

/** A report that cannot be read, but names a node. */
export type MalformedReport = Pick<RefusedReport, 'nodeId' | 'reportId' | 'content' | 'reason'>;

/** What was refused for its ID has no row of its own. It is shown to whoever had the node in its time, as if it had come with another ID. */
function toReused({ item: { report, hash, device } }: Judged): RefusedReport {
  const { reportId, nodeId, bytesUp, bytesDown, from, to } = report;
  const content = `${reportId} ${hash}`;
  return {
    ...REUSED,
    reportId,
    nodeId,
    content,
    ...(device && { deviceId: device.id }),
    measured: { bytes: bytesUp + bytesDown, from, to },
  };
}

const isReused = ({ result }: Judged): boolean =>
  result.status === 'refused' && result.code === REUSED.code;

/**
 * Records a batch of reports of one relay; the results are in the order of the reports. What cannot be read is kept for
 * the owners of the devices that it names.
 */
export async function recordTraffic(
  db: Db,
  deps: RecordTrafficDeps,
  clientId: string,
  reports: readonly TrafficReport[],
  malformed: readonly MalformedReport[] = [],
): Promise<TrafficResult[]> {
  const judged = await transaction(db, (tx) => record(tx, deps, clientId, reports));
  const unread = malformed.map((report) => ({ ...report, code: 'invalid_parameter' as const }));
  await storeRejectedReports(db, deps.clock, clientId, [
    ...unread,
    ...judged.filter(isReused).map(toReused),
  ]);
  return judged.map(({ result }) => result);
}
