/**
 * Traffic reports, with the verdict of the service's own rules on each and the hours in which their
 * bytes count.
 */
import {
  checkReport,
  checkReportedDevice,
  hashReport,
  spreadOverHours,
  type TrafficReport,
} from '../../src/devices/traffic-report.ts';

export const RECEIVED_AT = '2026-11-20T05:00:00.000Z';
export const WINDOW_S = 86_400;
/** The device of the reports; it was revoked once, and signed in again. */
export const REPORTED = {
  node_id: 'a-relayed-node',
  registered_at: '2026-11-19T04:30:00.000Z',
  revoked: { from: '2026-11-20T02:10:00.000Z', to: '2026-11-20T02:20:00.000Z' },
} as const;

interface ReportBody {
  readonly report_id: string;
  readonly node_id: string;
  readonly bytes_up: number;
  readonly bytes_down: number;
  readonly category?: string;
  readonly from: string;
  readonly to: string;
}

interface ReportCase extends Partial<ReportBody> {
  readonly name: string;
}

const HOUR = { from: '2026-11-20T03:00:00.000Z', to: '2026-11-20T04:00:00.000Z' };

const CASES: readonly ReportCase[] = [
  { name: 'a full hour', report_id: 'hour', category: 'web' },
  { name: 'the first report again', report_id: 'hour', category: 'web' },
  { name: 'its report_id with other bytes', report_id: 'hour', bytes_up: 1, category: 'web' },
  {
    ...{ name: 'parts of three hours' },
    ...{ bytes_up: 1000, bytes_down: 7, from: '2026-11-20T00:20:00.001Z' },
    to: '2026-11-20T02:09:59.999Z',
  },
  {
    ...{ name: 'bytes times milliseconds are more than 2^53' },
    ...{ bytes_up: 999_999_999_999_937, bytes_down: 13_000_000_000_007 },
    ...{ from: '2026-11-19T05:30:00.000Z', to: '2026-11-20T05:00:00.000Z' },
  },
  { name: 'it covers no time', from: HOUR.from, to: HOUR.from },
  { name: 'it ends before it begins', from: HOUR.to, to: HOUR.from },
  {
    ...{ name: 'it covers a millisecond more than a day' },
    ...{ from: '2026-11-19T03:59:59.999Z', to: '2026-11-20T04:00:00.000Z' },
  },
  { name: 'it ends 5 minutes ahead of the service', to: '2026-11-20T05:05:00.000Z' },
  { name: 'it ends a millisecond later', to: '2026-11-20T05:05:00.001Z' },
  {
    ...{ name: 'it came as late as it may, and begins in the hour of the registration' },
    ...{ from: '2026-11-19T04:00:00.000Z', to: '2026-11-19T05:00:00.000Z' },
  },
  {
    ...{ name: 'it came a millisecond later' },
    ...{ from: '2026-11-19T04:00:00.000Z', to: '2026-11-19T04:59:59.999Z' },
  },
  {
    ...{ name: 'it begins in the hour before that of the registration' },
    ...{ from: '2026-11-19T03:59:59.999Z', to: '2026-11-19T05:00:00.000Z' },
  },
  {
    ...{ name: '100 Gbit/s', bytes_up: 12_500_000_000, bytes_down: 0 },
    ...{ from: '2026-11-20T03:00:00.000Z', to: '2026-11-20T03:00:01.000Z' },
  },
  {
    ...{ name: 'a byte more', bytes_up: 12_500_000_000, bytes_down: 1 },
    ...{ from: '2026-11-20T03:00:00.000Z', to: '2026-11-20T03:00:01.000Z' },
  },
  {
    ...{ name: 'of the time of the revocation' },
    ...{ from: '2026-11-20T02:10:00.000Z', to: '2026-11-20T02:20:00.000Z' },
  },
  {
    ...{ name: 'of more than the time of the revocation' },
    ...{ from: '2026-11-20T02:10:00.000Z', to: '2026-11-20T02:20:00.001Z' },
  },
  { name: 'of an unknown device', node_id: 'no-such-node' },
];

const toReport = (body: ReportBody): TrafficReport => ({
  reportId: body.report_id,
  nodeId: body.node_id,
  bytesUp: BigInt(body.bytes_up),
  bytesDown: BigInt(body.bytes_down),
  from: new Date(body.from),
  to: new Date(body.to),
  ...(body.category !== undefined && { category: body.category }),
});

const DEVICE = {
  id: 1,
  created_at: new Date(REPORTED.registered_at),
  revoked_as: null,
  revoked_at: null,
  disconnections: [[Date.parse(REPORTED.revoked.from), Date.parse(REPORTED.revoked.to)]],
} as const;
const RULES = { now: new Date(RECEIVED_AT), window_s: WINDOW_S };

/** `seen`: hashes of the reports before it, by their IDs. */
function judge(report: TrafficReport, seen: Map<string, string>) {
  if (report.nodeId !== REPORTED.node_id) return { status: 'refused', code: 'unknown_node' };
  const refusal = checkReport(report, RULES) ?? checkReportedDevice(report, DEVICE);
  const [before, hash] = [seen.get(report.reportId), hashReport(report)];
  if (before !== undefined && before !== hash)
    return { status: 'refused', code: 'report_id_reused' };
  seen.set(report.reportId, hash);
  if (refusal) return { status: 'refused', code: refusal.code };
  return { status: before === undefined ? 'accepted' : 'replayed' };
}

export function renderTrafficVectors() {
  const seen = new Map<string, string>();
  const reports = CASES.map(({ name, ...fields }, i) => {
    const values = { report_id: `report-${i}`, node_id: REPORTED.node_id };
    const body: ReportBody = { ...values, bytes_up: 1000, bytes_down: 2000, ...HOUR, ...fields };
    const report = toReport(body);
    const result = judge(report, seen);
    const hours = spreadOverHours(report).map(({ hour, bytesUp, bytesDown }) => ({
      hour: hour.toISOString(),
      bytes_up: Number(bytesUp),
      bytes_down: Number(bytesDown),
    }));
    return { name, report: body, result, ...(result.status === 'accepted' && { hours }) };
  });
  return { received_at: RECEIVED_AT, window_s: WINDOW_S, device: REPORTED, reports };
}
