/**
 * `POST /operator/traffic-reports`: relays report what they measured. A device's own word never
 * counts as traffic.
 */

import Type, { type Static } from 'typebox';
import type { Database } from '../db/index.ts';
import {
  describeMalformed,
  REFUSAL_REASONS,
  REPORT_ID_MAX,
  type RejectedReport,
  recordTraffic,
  storeRejectedReports,
  type TrafficReport,
  type TrafficResult,
} from '../devices/index.ts';
import {
  createItemValidator,
  getCaller,
  type HttpServer,
  StringEnum,
  Timestamp,
} from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { isStorableText } from '../lib/exact-json.ts';
import { operations } from './operations/traffic.ts';
import { createStorableItemValidator } from './validate-item.ts';

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

/** The batch whatever its reports are: they are validated one by one. */
const Envelope = Type.Object({
  reports: Type.Array(Type.Unknown(), { minItems: 1, maxItems: BATCH_MAX }),
});

const Results = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Place of the report in the batch, from 0.' }),
        report_id: Type.String({ description: 'As sent; empty when the report has none.' }),
        status: StringEnum(
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

interface ValidatedReport {
  readonly reportId: string;
  readonly report?: TrafficReport;
  /** What is wrong with a malformed report. */
  readonly wrong?: string;
  /** The same for the owner of the device, if it names one. */
  readonly malformed?: RejectedReport;
}

const checkReport = createStorableItemValidator(Report, 'the item');
const checkEnvelope = createItemValidator(Envelope);

function validateReport(item: unknown): ValidatedReport {
  const checked = checkReport(item);
  if ('value' in checked)
    return { reportId: checked.value.report_id, report: toReport(checked.value) };
  const { report_id, node_id: nodeId } = (item ?? {}) as { report_id?: unknown; node_id?: unknown };
  const reportId = typeof report_id === 'string' ? report_id.slice(0, REPORT_ID_MAX) : '';
  const { field, message } = checked.error;
  const wrong = `${field === 'body' ? 'the item' : field} ${message}`;
  const namesNode =
    typeof nodeId === 'string' &&
    nodeId !== '' &&
    nodeId.length <= NODE_ID_MAX &&
    isStorableText(nodeId);
  return {
    reportId,
    wrong,
    ...(namesNode && {
      malformed: {
        code: 'invalid_parameter',
        nodeId,
        reportId,
        content: JSON.stringify(item),
        reason: describeMalformed(field, wrong),
      },
    }),
  };
}

function toReportResult(
  index: number,
  { reportId, wrong }: ValidatedReport,
  result: TrafficResult | undefined,
) {
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
    ...(status === 'refused' && {
      code: result.code,
      reason: REFUSAL_REASONS.format(result.reason),
    }),
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
      schema: { ...operations.reportTraffic, body: Batch, response: { 200: Results } },
    },
    async (request) => {
      if (request.validationError && !('value' in checkEnvelope(request.body)))
        throw request.validationError;
      const validated = request.body.reports.map(validateReport);
      const reports = validated.flatMap(({ report }) => report ?? []);
      const malformed = validated.flatMap((item) => item.malformed ?? []);
      const { clientId } = getCaller(request);
      const results = (await recordTraffic(deps.database, deps, clientId, reports)).values();
      await storeRejectedReports(deps.database, deps.clock, clientId, malformed);
      return {
        results: validated.map((item, index) =>
          toReportResult(index, item, item.report ? results.next().value : undefined),
        ),
      };
    },
  );
}
