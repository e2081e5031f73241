/**
 * Refused reports that cannot be stored as reports, but name a device: its owner can read the
 * newest of them. Their number and length are limited, so that a broken relay does not fill the
 * table.
 */
import { createHash } from 'node:crypto';
import { type Db, defineStatement, execute, type Transaction, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type CodedMessage, toColumns } from '../lib/coded-messages.ts';
import { cleanText } from '../lib/display-text.ts';
import type { FailureCode } from '../lib/failures.ts';
import { REPORT_ID_MAX } from './traffic-report.ts';

const KEPT_MAX = 20;

export interface RejectedReport {
  readonly nodeId: string;
  /** The device at the time of the report; by default the one that has the node now. */
  readonly deviceId?: number;
  readonly reportId: string;
  /** Identifies the report; a repeated one is stored once. */
  readonly content: string;
  readonly code: FailureCode;
  readonly reason: CodedMessage;
  /** Absent from a malformed report. */
  readonly measured?: { readonly bytes: bigint; readonly from: Date; readonly to: Date };
}

/** The present device of each node, or the one that was deleted last. */
const FIND_DEVICES = defineStatement(
  'rejected-reports-find-devices',
  `select distinct on (node_id) id, node_id from device where node_id = any (:node_ids)
   order by node_id, (cut is distinct from 'deleted') desc, cut_at desc nulls first`,
);
/** Serializes batches, so that the limit of a device holds. */
const LOCK_DEVICES = defineStatement(
  'rejected-reports-lock',
  'select 1 from device where id = any (:device_ids) order by id for no key update',
);
const INSERT_REJECTED = defineStatement(
  'rejected-reports-insert',
  `insert into refused_report (client_id, received_at, device_id, content_hash, report_id, bytes,
     from_at, to_at, refusal, reason_code, reason_values)
   select :client_id, :now, device_id, content_hash, report_id, bytes, from_at, to_at, refusal,
     reason_code, reason_values::jsonb
   from unnest(:device_ids::bigint[], :hashes::text[], :report_ids::text[], :bytes::numeric[],
       :from::timestamptz[], :to::timestamptz[], :refusals::text[], :reason_codes::text[],
       :reason_values::text[])
     as r (device_id, content_hash, report_id, bytes, from_at, to_at, refusal, reason_code,
       reason_values)
   on conflict on constraint refused_report_content_key do nothing`,
);
const DELETE_OLDEST = defineStatement(
  'rejected-reports-delete-oldest',
  `delete from refused_report where id in (
     select id from (
       select id, row_number() over (partition by device_id order by id desc) as place
       from refused_report where device_id = any (:device_ids)) as r
     where place > ${KEPT_MAX})`,
);

type Owned = RejectedReport & { readonly deviceId: number };

async function findOwners(tx: Transaction, reports: readonly RejectedReport[]): Promise<Owned[]> {
  const nodeIds = reports
    .filter(({ deviceId }) => deviceId === undefined)
    .map(({ nodeId }) => nodeId);
  const { rows } = await execute<{ id: number; node_id: string }>(tx, FIND_DEVICES, {
    node_ids: nodeIds,
  });
  const present = new Map(rows.map((row) => [row.node_id, row.id]));
  return reports.flatMap((report) => {
    const deviceId = report.deviceId ?? present.get(report.nodeId);
    return deviceId === undefined ? [] : [{ ...report, deviceId }];
  });
}

async function store(
  tx: Transaction,
  clock: Clock,
  clientId: string,
  reports: readonly RejectedReport[],
): Promise<void> {
  const owned = await findOwners(tx, reports);
  if (owned.length === 0) return;
  const deviceIds = [...new Set(owned.map(({ deviceId }) => deviceId))];
  await execute(tx, LOCK_DEVICES, { device_ids: deviceIds });
  const reasons = owned.map(({ reason }) => toColumns(reason));
  await execute(tx, INSERT_REJECTED, {
    client_id: clientId,
    now: clock.now(),
    device_ids: owned.map(({ deviceId }) => deviceId),
    hashes: owned.map(({ content }) => createHash('sha256').update(content).digest('base64url')),
    report_ids: owned.map(({ reportId }) => cleanText(reportId, REPORT_ID_MAX)),
    bytes: owned.map(({ measured }) => (measured ? String(measured.bytes) : null)),
    from: owned.map(({ measured }) => measured?.from ?? null),
    to: owned.map(({ measured }) => measured?.to ?? null),
    refusals: owned.map(({ code }) => code),
    reason_codes: reasons.map(({ code }) => code),
    reason_values: reasons.map(({ values }) => values),
  });
  await execute(tx, DELETE_OLDEST, { device_ids: deviceIds });
}

/** Stores reports that name a device; the others have no owner who could read them. */
export async function storeRejectedReports(
  db: Db,
  clock: Clock,
  clientId: string,
  reports: readonly RejectedReport[],
): Promise<void> {
  if (reports.length > 0) await transaction(db, (tx) => store(tx, clock, clientId, reports));
}
