/**
 * Keeps refused reports that have no row of their own, but name a device, for its owner to see: the newest of each
 * device, cut to what a page can show, so that a broken relay fills neither the table nor the page.
 */
import { createHash } from 'node:crypto';
import { type Db, type Transaction, transaction } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { cleanText } from '../lib/display-text.ts';
import type { FailureCode } from '../lib/failures.ts';
import { REASON_MAX, REPORT_ID_MAX } from './traffic-report.ts';

const KEPT_MAX = 20;

export interface RefusedReport {
  readonly nodeId: string;
  /** Whose it is, where its time tells; else of whoever has the node now. */
  readonly deviceId?: number;
  readonly reportId: string;
  /** Tells it from others. */
  readonly content: string;
  readonly code: FailureCode;
  readonly reason: string;
  /** Where it can be read. */
  readonly measured?: { readonly bytes: bigint; readonly from: Date; readonly to: Date };
}

/** The living device of each node, or the one that was deleted last. */
const FIND = `select distinct on (node_id) id, node_id from device where node_id = any ($1)
  order by node_id, (cut is distinct from 'deleted') desc, cut_at desc nulls first`;

/** Of parallel batches one trims at a time. */
const LOCK = 'select 1 from device where id = any ($1) order by id for no key update';

const INSERT = `insert into refused_report (client_id, received_at, device_id, content_hash, report_id, bytes, from_at, to_at, refusal, refusal_reason)
  select $1, $2, r.* from unnest($3::bigint[], $4::text[], $5::text[], $6::numeric[], $7::timestamptz[], $8::timestamptz[], $9::text[], $10::text[]) as r
  on conflict on constraint refused_report_content_key do nothing`;

const TRIM = `delete from refused_report where id in (
    select id from (select id, row_number() over (partition by device_id order by id desc) as place from refused_report where device_id = any ($1)) as r
    where place > ${KEPT_MAX})`;

type Owned = RefusedReport & { readonly deviceId: number };

async function findOwners(tx: Transaction, reports: readonly RefusedReport[]): Promise<Owned[]> {
  const nodeIds = reports
    .filter(({ deviceId }) => deviceId === undefined)
    .map(({ nodeId }) => nodeId);
  const { rows } = await tx.query<{ id: number; node_id: string }>(FIND, [[...new Set(nodeIds)]]);
  const present = new Map(rows.map((row) => [row.node_id, row.id]));
  return reports.flatMap((report) => {
    const deviceId = report.deviceId ?? present.get(report.nodeId);
    return deviceId === undefined ? [] : [{ ...report, deviceId }];
  });
}

async function keep(
  tx: Transaction,
  clock: Clock,
  clientId: string,
  reports: readonly RefusedReport[],
): Promise<void> {
  const owned = await findOwners(tx, reports);
  if (owned.length === 0) return;
  const deviceIds = [...new Set(owned.map(({ deviceId }) => deviceId))];
  await tx.query(LOCK, [deviceIds]);
  const column = <T>(read: (report: Owned) => T): T[] => owned.map(read);
  await tx.query(INSERT, [
    clientId,
    clock.now(),
    column(({ deviceId }) => deviceId),
    column(({ content }) => createHash('sha256').update(content).digest('base64url')),
    column(({ reportId }) => cleanText(reportId, REPORT_ID_MAX)),
    column(({ measured }) => (measured ? String(measured.bytes) : null)),
    column(({ measured }) => measured?.from ?? null),
    column(({ measured }) => measured?.to ?? null),
    column(({ code }) => code),
    column(({ reason }) => cleanText(reason, REASON_MAX)),
  ]);
  await tx.query(TRIM, [deviceIds]);
}

/** Keeps what a relay sent about nodes that exist; what names no device is nobody's to see. */
export async function storeRejectedReports(
  db: Db,
  clock: Clock,
  clientId: string,
  reports: readonly RefusedReport[],
): Promise<void> {
  if (reports.length > 0) await transaction(db, (tx) => keep(tx, clock, clientId, reports));
}
