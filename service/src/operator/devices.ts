/** `/operator/devices`: devices of all people, refused reports, and shared addresses. */
import type { Database } from '../db/index.ts';
import {
  countRefusedReports,
  type Devices,
  listRefusedReports,
  listSharedAddresses,
  REFUSAL_REASONS,
  REPORT_ID_MAX,
  type RefusedReport,
  type ReportCursor,
} from '../devices/index.ts';
import { type HttpServer, messageFields, parsePathId } from '../http/index.ts';
import { findNicknames, findUser } from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { cleanText } from '../lib/display-text.ts';
import { exactGigabytes } from '../lib/exact-json.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { toSubnet } from '../lib/rate-limit-subnet.ts';
import {
  DeviceSearch,
  FoundDevicePage,
  RefusedCountQuery,
  RefusedCounts,
  RefusedReportPage,
  RefusedReportQuery,
  SharedAddresses,
  SharedAddressQuery,
  UserDevices,
} from './device-schemas.ts';
import { operations } from './operations/devices.ts';
import { UserParams } from './user-schemas.ts';

const HOUR_MS = 3_600_000;
const SIZE = 20;
const LIST_MAX = 100;
const LEAST_SHARED = 5;
const config = { access: { scopes: ['operator:users'] } };
const onStandby = { ...config, readsFrom: 'standby' } as const;

export interface OperatorDevicesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly devices: Pick<Devices, 'find' | 'listOf'>;
}

const malformedCursor = () => fieldError('cursor', 'malformed', 'must be `next` of a page');

/** @throws `invalid_parameter` */
function readDeviceCursor(text: string | undefined): number | undefined {
  if (text !== undefined && !/^[1-9]\d{0,14}$/.test(text)) throw malformedCursor();
  return text === undefined ? undefined : Number(text);
}

const REPORT_CURSOR = /^(\d{1,15})-(\d{1,15})-([01])-(\d{1,15})$/;
const writeReportCursor = ({ at, device_id, rank, id }: ReportCursor) =>
  `${at.getTime()}-${device_id}-${rank}-${id}`;

/** @throws `invalid_parameter` */
function readReportCursor(text: string): ReportCursor {
  const [, at_ms, device, rank, id] = REPORT_CURSOR.exec(text) ?? [];
  const at = new Date(Number(at_ms));
  if (Number.isNaN(at.getTime())) throw malformedCursor();
  return { at, device_id: Number(device), rank: Number(rank), id: Number(id) };
}

/** Nicknames of owners; empty for one whose data are erased meanwhile. */
async function findOwners(database: Database, records: readonly { readonly user_id: number }[]) {
  const names = await findNicknames(database, [...new Set(records.map((r) => r.user_id))]);
  return (userId: number): string => names.get(userId) ?? '';
}

type Reasoned = Pick<RefusedReport, 'client_id' | 'refusal' | 'reason_code' | 'reason_values'>;

const toReason = ({ client_id, refusal, reason_code, reason_values }: Reasoned) => ({
  client_id,
  code: refusal,
  ...messageFields('reason', REFUSAL_REASONS, { code: reason_code, values: reason_values }),
});

function toReport(report: RefusedReport, nickname: string) {
  return {
    report_id: cleanText(report.report_id, REPORT_ID_MAX),
    ...toReason(report),
    node_id: report.node_id,
    user_id: report.user_id,
    nickname,
    ...(report.from_at &&
      report.to_at && { from: report.from_at.toISOString(), to: report.to_at.toISOString() }),
    ...(report.bytes !== null && { traffic_gb: exactGigabytes(BigInt(report.bytes)) }),
    received_at: report.at.toISOString(),
  };
}

function registerRefusedReports(app: HttpServer, { database, clock }: OperatorDevicesDeps): void {
  app.get(
    '/operator/refused-reports',
    {
      config: onStandby,
      schema: {
        ...operations.listRefusedReportsOfAll,
        querystring: RefusedReportQuery,
        response: { 200: RefusedReportPage },
      },
    },
    async ({ query: { cursor, size = SIZE } }) => {
      const from =
        cursor === undefined
          ? { at: new Date(clock.now().getTime() + HOUR_MS), device_id: 0, rank: 0, id: 0 }
          : readReportCursor(cursor);
      const reports = await listRefusedReports(database, from, size);
      const owner = await findOwners(database, reports);
      const last = reports[size - 1];
      return {
        reports: reports.map((report) => toReport(report, owner(report.user_id))),
        ...(last && { next: writeReportCursor(last) }),
      };
    },
  );
  app.get(
    '/operator/refused-reports/counts',
    {
      config: onStandby,
      schema: {
        ...operations.countRefusedReports,
        querystring: RefusedCountQuery,
        response: { 200: RefusedCounts },
      },
    },
    async ({ query: { hours = 24 } }) => {
      const since = new Date(clock.now().getTime() - hours * HOUR_MS);
      const counts = await countRefusedReports(database, { since, limit: LIST_MAX });
      return {
        from: since.toISOString(),
        counts: counts.map(({ reports, devices, ...reason }) => ({
          ...toReason(reason),
          reports,
          devices,
        })),
      };
    },
  );
}

export function registerOperatorDevices(app: HttpServer, deps: OperatorDevicesDeps): void {
  const { database, devices } = deps;
  app.get(
    '/operator/users/:user_id/devices',
    {
      config,
      schema: { ...operations.listUserDevices, params: UserParams, response: { 200: UserDevices } },
    },
    async ({ params }) => {
      const user = await findUser(database, parsePathId(params.user_id));
      if (!user) throw failure('not_found');
      return { devices: await devices.listOf(user.userId) };
    },
  );
  app.get(
    '/operator/devices',
    {
      config,
      schema: {
        ...operations.findDevices,
        querystring: DeviceSearch,
        response: { 200: FoundDevicePage },
      },
    },
    async ({ query }) => {
      const page = await devices.find(
        {
          nodeId: query.node_id,
          userId: query.user_id,
          address: query.address && toSubnet(query.address),
          deviceType: query.device_type,
          status: query.status,
          text: query.text,
        },
        { size: query.size ?? SIZE, before: readDeviceCursor(query.cursor) },
      );
      const owner = await findOwners(database, page.devices);
      return {
        devices: page.devices.map((device) => ({ ...device, nickname: owner(device.user_id) })),
        ...(page.next !== undefined && { next: String(page.next) }),
      };
    },
  );
  app.get(
    '/operator/device-addresses',
    {
      config: onStandby,
      schema: {
        ...operations.listSharedAddresses,
        querystring: SharedAddressQuery,
        response: { 200: SharedAddresses },
      },
    },
    async ({ query: { least = LEAST_SHARED } }) => ({
      addresses: await listSharedAddresses(database, { least, limit: LIST_MAX }),
    }),
  );
  registerRefusedReports(app, deps);
}
