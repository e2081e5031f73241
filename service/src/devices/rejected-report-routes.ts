/** `GET /me/devices/{node_id}/refused-reports`: traffic reports that do not count, and why. */

import Type from 'typebox';
import { type Db, defineStatement, execute } from '../db/index.ts';
import {
  callingUserId,
  Decimal,
  type HttpServer,
  MessageCode,
  MessageValues,
  messageFields,
  Page,
  PageParameters,
  Timestamp,
  toPage,
} from '../http/index.ts';
import type { CodedMessage } from '../lib/coded-messages.ts';
import { cleanText } from '../lib/display-text.ts';
import { exactGigabytes } from '../lib/exact-json.ts';
import { operations } from './operations.ts';
import { getOwnDevice } from './queries.ts';
import { REFUSAL_REASONS } from './refusal-reasons.ts';
import { NodeParameters } from './schemas.ts';
import { REPORT_ID_MAX } from './traffic-report.ts';

const RejectedReports = Page(
  Type.Object({
    report_id: Type.String({
      description: 'ID of the report at its relay; empty if it has none.',
    }),
    from: Type.Optional(Timestamp('Start of the report; absent from a malformed report.')),
    to: Type.Optional(Timestamp('End of the report; absent from a malformed report.')),
    traffic_gb: Type.Optional(
      Decimal('Reported traffic in GB of 10^9 bytes; absent from a malformed report.'),
    ),
    code: Type.String({ description: 'Stable code; see `x-failure-codes`.' }),
    reason: Type.String({ description: 'Why the report does not count.' }),
    reason_code: MessageCode('reason', Object.keys(REFUSAL_REASONS.texts)),
    reason_values: MessageValues('reason'),
    received_at: Timestamp('When the report was received.'),
  }),
);

interface RejectedRow {
  report_id: string;
  from_at: Date | null;
  to_at: Date | null;
  bytes: string | null;
  refusal: string;
  reason_code: string;
  reason_values: CodedMessage['values'];
  received_at: Date;
}

/** Refused reports that are stored as reports, and the newest of the others. */
const REJECTED = `(
    select report_id, from_at, to_at, (bytes_up + bytes_down)::text as bytes,
      refusal, reason_code, reason_values, received_at
    from traffic_report where device_id = :device_id and refusal is not null
    union all
    select report_id, from_at, to_at, bytes::text, refusal, reason_code, reason_values, received_at
    from refused_report where device_id = :device_id
  ) as rejected`;
const COUNT_REJECTED = defineStatement(
  'rejected-reports-count',
  `select count(*) as total from ${REJECTED}`,
);
const READ_REJECTED = defineStatement(
  'rejected-reports-read',
  `select * from ${REJECTED}
   order by received_at desc, report_id, reason_code limit :limit offset :offset`,
);

function toRejected(row: RejectedRow) {
  return {
    report_id: cleanText(row.report_id, REPORT_ID_MAX),
    ...(row.from_at &&
      row.to_at && { from: row.from_at.toISOString(), to: row.to_at.toISOString() }),
    ...(row.bytes !== null && { traffic_gb: exactGigabytes(BigInt(row.bytes)) }),
    code: row.refusal,
    ...messageFields('reason', REFUSAL_REASONS, {
      code: row.reason_code,
      values: row.reason_values,
    }),
    received_at: row.received_at.toISOString(),
  };
}

export function registerRejectedReportRoutes(
  app: HttpServer,
  { database }: { readonly database: Db },
): void {
  app.get(
    '/me/devices/:node_id/refused-reports',
    {
      config: { access: { scopes: ['devices:read'], isNodeRoute: true }, readsFrom: 'standby' },
      schema: {
        ...operations.listRefusedReports,
        params: NodeParameters,
        querystring: Type.Object(PageParameters),
        response: { 200: RejectedReports },
      },
    },
    async (request) => {
      const { id } = await getOwnDevice(database, callingUserId(request), request.params.node_id);
      const { current, size } = request.query;
      const { rows: counts } = await execute<{ total: number }>(database, COUNT_REJECTED, {
        device_id: id,
      });
      const { rows } = await execute<RejectedRow>(database, READ_REJECTED, {
        device_id: id,
        limit: size,
        offset: (current - 1) * size,
      });
      return toPage(rows.map(toRejected), counts[0]?.total ?? 0, request.query);
    },
  );
}
