/** `POST /operator/traffic-reports`: relays report what they measured. A device's own word never counts as traffic. */
import Type, { type Static } from 'typebox';
import type { Database } from '../db/index.ts';
import {
  type MalformedReport,
  REPORT_ID_MAX,
  recordTraffic,
  type TrafficReport,
  type TrafficResult,
} from '../devices/index.ts';
import { callerOf, createPartCheck, type HttpServer, Timestamp, Words } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { findUnstorable, isStorableText } from '../lib/exact-json.ts';

const BATCH_MAX = 1000;
const NODE_ID_MAX = 128;
const BODY_LIMIT_BYTES = 1024 * 1024;

const Report = Type.Object({
  report_id: Type.String({
    minLength: 1,
    maxLength: REPORT_ID_MAX,
    description:
      "Names the report among those of the operator's client; the same report may be sent again.",
  }),
  node_id: Type.String({
    minLength: 1,
    maxLength: NODE_ID_MAX,
    description: 'The node that was measured.',
  }),
  bytes_up: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Bytes from the device.',
  }),
  bytes_down: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Bytes to the device.',
  }),
  category: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Category of the traffic.' }),
  ),
  from: Timestamp('Begin of the measurement.'),
  to: Timestamp('End of the measurement, at most 24 hours later.'),
});

const Batch = Type.Object(
  { reports: Type.Array(Report, { minItems: 1, maxItems: BATCH_MAX }) },
  { description: `Up to ${BATCH_MAX} reports.` },
);

/** The batch whatever its reports are: they are judged one by one. */
const Envelope = Type.Object({
  reports: Type.Array(Type.Unknown(), { minItems: 1, maxItems: BATCH_MAX }),
});

const Results = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Place of the report in the batch, from 0.' }),
        report_id: Type.String({ description: 'As sent; empty when the report has none.' }),
        status: Words(
          ['accepted', 'replayed', 'refused'],
          'Replayed: the same report was accepted before, and counts once.',
        ),
        code: Type.Optional(
          Type.String({ description: 'Why it was refused; see `x-failure-codes`.' }),
        ),
        reason: Type.Optional(
          Type.String({
            description:
              'The same in words; the owner of the device that the report names reads it too.',
          }),
        ),
      }),
      { description: 'In the order of the batch; one refusal never fails its neighbours.' },
    ),
  },
  { description: 'What became of each report.' },
);

function toReport(report: Static<typeof Report>): TrafficReport {
  return {
    reportId: report.report_id,
    nodeId: report.node_id,
    bytesUp: BigInt(report.bytes_up),
    bytesDown: BigInt(report.bytes_down),
    from: new Date(report.from),
    to: new Date(report.to),
    ...(report.category !== undefined && { category: report.category }),
  };
}

interface Judged {
  readonly reportId: string;
  readonly report?: TrafficReport;
  /** What is wrong with a malformed report. */
  readonly wrong?: string;
  /** The same for the owner of the device, if it names one. */
  readonly malformed?: MalformedReport;
}

const checkReport = createPartCheck(Report);
const checkEnvelope = createPartCheck(Envelope);

function judge(item: unknown): Judged {
  const unstorable = findUnstorable(item, 'the item');
  const checked =
    unstorable === undefined
      ? checkReport(item)
      : { wrong: `${unstorable} holds NUL, a lone surrogate or a field of a forbidden name` };
  if ('value' in checked)
    return { reportId: checked.value.report_id, report: toReport(checked.value) };
  const { report_id, node_id: nodeId } = (item ?? {}) as { report_id?: unknown; node_id?: unknown };
  const reportId = typeof report_id === 'string' ? report_id.slice(0, REPORT_ID_MAX) : '';
  const { wrong } = checked;
  const namesNode =
    typeof nodeId === 'string' &&
    nodeId !== '' &&
    nodeId.length <= NODE_ID_MAX &&
    isStorableText(nodeId);
  return {
    reportId,
    wrong,
    ...(namesNode && {
      malformed: { nodeId, reportId, content: JSON.stringify(item), reason: wrong },
    }),
  };
}

function toResult(index: number, { reportId, wrong }: Judged, result: TrafficResult | undefined) {
  const common = { index, report_id: reportId };
  if (result === undefined)
    return {
      ...common,
      status: 'refused' as const,
      code: 'invalid_parameter',
      reason: wrong ?? '',
    };
  const { status } = result;
  return {
    ...common,
    status,
    ...(status === 'refused' && { code: result.code, reason: result.reason }),
  };
}

export interface TrafficReportsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** How long after its end a report is taken. */
  readonly window_s: number;
}

export function registerTrafficReports(app: HttpServer, deps: TrafficReportsDeps): void {
  app.post(
    '/operator/traffic-reports',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      config: { access: { scopes: ['operator:traffic'] }, allowsUnstorableText: true },
      // A malformed report is refused by itself, like any other.
      attachValidation: true,
      schema: {
        tags: ['operator'],
        summary: 'Report measured traffic',
        body: Batch,
        response: { 200: Results },
      },
    },
    async (request) => {
      if (request.validationError && !('value' in checkEnvelope(request.body)))
        throw request.validationError;
      const judged = request.body.reports.map(judge);
      const reports = judged.flatMap(({ report }) => report ?? []);
      const malformed = judged.flatMap((item) => item.malformed ?? []);
      const results = (
        await recordTraffic(deps.database, deps, callerOf(request).clientId, reports, malformed)
      ).values();
      return {
        results: judged.map((item, index) =>
          toResult(index, item, item.report ? results.next().value : undefined),
        ),
      };
    },
  );
}
