/** What the owner of a device sees of its usage: hours online, measured traffic, refused reports with their reason. */
import Type from 'typebox';
import type { Db } from '../db/index.ts';
import { callingUserId, Day, Decimal, type HttpServer, Page, PageParameters, Timestamp, toPage } from '../http/index.ts';
import { addDays, dayOf, dayRange, daysBetween } from '../lib/calendar.ts';
import type { Clock } from '../lib/clock.ts';
import { exactGigabytes } from '../lib/exact-json.ts';
import { failure, invalidField } from '../lib/failures.ts';
import { type DeviceRow, findOwnDevice } from './queries.ts';
import { readHoursOf } from './read-usage.ts';
import { NodeParameters } from './schemas.ts';

const DAYS_MAX = 31;
const DEFAULT_DAYS = 7;

const UsageQuery = Type.Object({
  beginDate: Type.Optional(Day('First UTC day; default: seven days, today included.')),
  endDate: Type.Optional(Day('Last UTC day, included; default: today.')),
});

const Usage = Type.Object(
  {
    hours: Type.Array(
      Type.Object({
        hour: Timestamp('Beginning of the UTC hour.'),
        online_seconds: Type.Integer({ minimum: 0, maximum: 3600, description: 'Time online in this hour.' }),
        bytes_up: Type.Integer({ minimum: 0, description: 'Bytes that relays received from the device.' }),
        bytes_down: Type.Integer({ minimum: 0, description: 'Bytes that relays sent to the device.' }),
        traffic_gb: Decimal('Both together, in GB of 10^9 bytes.'),
      }),
      { description: 'Hours in which anything happened, oldest first.' },
    ),
  },
  { description: 'Usage of a device, hour by hour.' },
);

const RefusedReports = Page(
  Type.Object({
    report_id: Type.String({ description: 'ID that the relay gave the report.' }),
    from: Timestamp('Begin of what was measured.'),
    to: Timestamp('End of what was measured.'),
    traffic_gb: Decimal('What the report held, in GB of 10^9 bytes.'),
    code: Type.String({ description: 'Stable code; see `x-failure-codes`.' }),
    reason: Type.String({ description: 'Why it does not count.' }),
    received_at: Timestamp('When it came.'),
  }),
);

interface UsageDeps {
  readonly database: Db;
  readonly clock: Clock;
}

async function ownDevice(db: Db, userId: number, nodeId: string): Promise<DeviceRow> {
  const row = await findOwnDevice(db, userId, nodeId);
  if (!row) throw failure('not_found');
  return row;
}

/** Half-open range of a query whose days may be left out. */
function usageRange(query: { beginDate?: string; endDate?: string }, now: Date): { from: Date; before: Date } {
  const end = query.endDate ?? dayOf(now);
  const begin = query.beginDate ?? addDays(end, 1 - DEFAULT_DAYS);
  const { from, before } = dayRange(begin, end, 'beginDate');
  if (!from || !before) throw new Error('both days are given');
  if (daysBetween(begin, end) > DAYS_MAX) throw invalidField('beginDate', 'too_long', `is more than ${DAYS_MAX} days before the end`);
  return { from, before };
}

interface RefusedRow {
  report_id: string;
  from_at: Date;
  to_at: Date;
  bytes: string;
  refusal: string;
  refusal_reason: string;
  received_at: Date;
  total: number;
}

async function readRefused(db: Db, deviceId: number, offset: number, limit: number): Promise<{ rows: RefusedRow[]; total: number }> {
  const { rows: counts } = await db.query<{ total: number }>('select count(*) as total from traffic_report where device_id = $1 and refusal is not null', [
    deviceId,
  ]);
  const { rows } = await db.query<RefusedRow>(
    `select report_id, from_at, to_at, (bytes_up + bytes_down)::text as bytes, refusal, refusal_reason, received_at from traffic_report
     where device_id = $1 and refusal is not null order by received_at desc, report_id limit $2 offset $3`,
    [deviceId, limit, offset],
  );
  return { rows, total: counts[0]?.total ?? 0 };
}

function toRefused(row: RefusedRow) {
  return {
    report_id: row.report_id,
    from: row.from_at.toISOString(),
    to: row.to_at.toISOString(),
    traffic_gb: exactGigabytes(BigInt(row.bytes)),
    code: row.refusal,
    reason: row.refusal_reason,
    received_at: row.received_at.toISOString(),
  };
}

export function registerUsageRoutes(app: HttpServer, { database, clock }: UsageDeps): void {
  const access = { scopes: ['devices:read'], isNodeRoute: true };
  app.get(
    '/me/devices/:node_id/usage',
    {
      config: { access },
      schema: { tags: ['devices'], summary: 'Show the hourly usage of a device', params: NodeParameters, querystring: UsageQuery, response: { 200: Usage } },
    },
    async (request) => {
      const { from, before } = usageRange(request.query, clock.now());
      const { id } = await ownDevice(database, callingUserId(request), request.params.node_id);
      const hours = await readHoursOf(database, id, from, before);
      return {
        hours: hours.map((row) => ({
          hour: row.hour.toISOString(),
          online_seconds: Math.min(3600, Math.floor(row.onlineMs / 1000)),
          bytes_up: Number(row.bytesUp),
          bytes_down: Number(row.bytesDown),
          traffic_gb: exactGigabytes(row.bytesUp + row.bytesDown),
        })),
      };
    },
  );
  app.get(
    '/me/devices/:node_id/refused-reports',
    {
      config: { access },
      schema: {
        tags: ['devices'],
        summary: 'List traffic reports about a device that do not count, with the reason',
        params: NodeParameters,
        querystring: Type.Object(PageParameters),
        response: { 200: RefusedReports },
      },
    },
    async (request) => {
      const { id } = await ownDevice(database, callingUserId(request), request.params.node_id);
      const { current, size } = request.query;
      const { rows, total } = await readRefused(database, id, (current - 1) * size, size);
      return toPage(rows.map(toRefused), total, request.query);
    },
  );
}
