/** `GET /me/devices/{node_id}/usage`: hours online and measured traffic of a device. */

import Type from 'typebox';
import type { Db } from '../db/index.ts';
import { callingUserId, Day, Decimal, type HttpServer, Timestamp } from '../http/index.ts';
import { addDays, dayRange, daysBetween, toDay } from '../lib/calendar.ts';
import type { Clock } from '../lib/clock.ts';
import { exactGigabytes } from '../lib/exact-json.ts';
import { fieldError } from '../lib/failures.ts';
import { operations } from './operations.ts';
import { getOwnDevice } from './queries.ts';
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
        hour: Timestamp('Start of the UTC hour.'),
        online_seconds: Type.Integer({
          minimum: 0,
          maximum: 3600,
          description:
            'Time online in this hour. Of a connected device it is up to five minutes behind.',
        }),
        bytes_up: Type.Integer({
          minimum: 0,
          description: 'Bytes that relays received from the device.',
        }),
        bytes_down: Type.Integer({
          minimum: 0,
          description: 'Bytes that relays sent to the device.',
        }),
        traffic_gb: Decimal('Both together, in GB of 10^9 bytes.'),
      }),
      { description: 'Hours with usage, oldest first.' },
    ),
  },
  { description: 'Usage of a device, hour by hour.' },
);

interface UsageDeps {
  readonly database: Db;
  readonly clock: Clock;
}

/** Half-open range of a query whose days may be left out. */
function usageRange(
  query: { beginDate?: string; endDate?: string },
  now: Date,
): { from: Date; before: Date } {
  const end = query.endDate ?? toDay(now);
  const begin = query.beginDate ?? addDays(end, 1 - DEFAULT_DAYS);
  const { from, before } = dayRange(begin, end, 'beginDate');
  if (!from || !before) throw new Error('both days are given');
  if (daysBetween(begin, end) > DAYS_MAX)
    throw fieldError('beginDate', 'too_long', `is more than ${DAYS_MAX} days before the end`);
  return { from, before };
}

export function registerUsageRoutes(app: HttpServer, { database, clock }: UsageDeps): void {
  const access = { scopes: ['devices:read'], isNodeRoute: true };
  app.get(
    '/me/devices/:node_id/usage',
    {
      config: { access, readsFrom: 'standby' },
      schema: {
        ...operations.getDeviceUsage,
        params: NodeParameters,
        querystring: UsageQuery,
        response: { 200: Usage },
      },
    },
    async (request) => {
      const { from, before } = usageRange(request.query, clock.now());
      const { id } = await getOwnDevice(database, callingUserId(request), request.params.node_id);
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
}
