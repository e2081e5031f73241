/** `GET /me/devices/{node_id}/refused-reports`: what relays reported about a device that does not count, and why. */
import Type from 'typebox';
import type { Db } from '../db/index.ts';
import {
  besideSentence,
  callingUserId,
  Decimal,
  type HttpServer,
  Page,
  PageParameters,
  SayingCode,
  SayingValues,
  Timestamp,
  toPage,
} from '../http/index.ts';
import { cleanText } from '../lib/display-text.ts';
import { exactGigabytes } from '../lib/exact-json.ts';
import { findListedDevice } from './queries.ts';
import { REASON_CODES, readRefusalReason } from './refusal-reasons.ts';
import { NodeParameters } from './schemas.ts';
import { REPORT_ID_MAX } from './traffic-report.ts';

const RefusedReports = Page(
  Type.Object({
    report_id: Type.String({
      description: 'ID that the relay gave the report; empty when it gave none.',
    }),
    from: Type.Optional(Timestamp('Begin of what was measured; absent from a malformed report.')),
    to: Type.Optional(Timestamp('End of what was measured; absent from a malformed report.')),
    traffic_gb: Type.Optional(
      Decimal('What the report held, in GB of 10^9 bytes; absent from a malformed report.'),
    ),
    code: Type.String({ description: 'Stable code; see `x-failure-codes`.' }),
    reason: Type.String({ description: 'Why it does not count.' }),
    reason_code: SayingCode('reason', REASON_CODES),
    reason_values: SayingValues('reason'),
    received_at: Timestamp('When it came.'),
  }),
);

interface RefusedRow {
  report_id: string;
  from_at: Date | null;
  to_at: Date | null;
  bytes: string | null;
  refusal: string;
  refusal_reason: string;
  received_at: Date;
}

/** Those that could be stored as reports, and the newest of those that could not. */
const REFUSED = `(
    select report_id, from_at, to_at, (bytes_up + bytes_down)::text as bytes, refusal, refusal_reason, received_at
      from traffic_report where device_id = $1 and refusal is not null
    union all
    select report_id, from_at, to_at, bytes::text, refusal, refusal_reason, received_at from refused_report where device_id = $1
  ) as refused`;

async function readRefused(
  db: Db,
  deviceId: number,
  offset: number,
  limit: number,
): Promise<{ rows: RefusedRow[]; total: number }> {
  const { rows: counts } = await db.query<{ total: number }>(
    `select count(*) as total from ${REFUSED}`,
    [deviceId],
  );
  const { rows } = await db.query<RefusedRow>(
    `select * from ${REFUSED} order by received_at desc, report_id, refusal_reason limit $2 offset $3`,
    [deviceId, limit, offset],
  );
  return { rows, total: counts[0]?.total ?? 0 };
}

function toRefused(row: RefusedRow) {
  return {
    report_id: cleanText(row.report_id, REPORT_ID_MAX),
    ...(row.from_at &&
      row.to_at && { from: row.from_at.toISOString(), to: row.to_at.toISOString() }),
    ...(row.bytes !== null && { traffic_gb: exactGigabytes(BigInt(row.bytes)) }),
    code: row.refusal,
    reason: row.refusal_reason,
    ...besideSentence('reason', readRefusalReason(row.refusal, row.refusal_reason)),
    received_at: row.received_at.toISOString(),
  };
}

export function registerRefusedRoutes(
  app: HttpServer,
  { database }: { readonly database: Db },
): void {
  app.get(
    '/me/devices/:node_id/refused-reports',
    {
      config: { access: { scopes: ['devices:read'], isNodeRoute: true } },
      schema: {
        tags: ['devices'],
        summary: 'List traffic reports about a device that do not count, with the reason',
        description:
          'Of reports that are malformed, or whose ID another report had, the newest 20 of a device are kept.',
        params: NodeParameters,
        querystring: Type.Object(PageParameters),
        response: { 200: RefusedReports },
      },
    },
    async (request) => {
      const { id } = await findListedDevice(
        database,
        callingUserId(request),
        request.params.node_id,
      );
      const { current, size } = request.query;
      const { rows, total } = await readRefused(database, id, (current - 1) * size, size);
      return toPage(rows.map(toRefused), total, request.query);
    },
  );
}
