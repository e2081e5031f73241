/** The columns of an archived settlement (Apache Parquet): its lines, then their reports. */
import type { SchemaElement } from 'hyparquet';
import type { TrafficReport } from '../../devices/index.ts';
import {
  type Cells,
  type FileRow,
  integerColumn,
  isSameCell,
  textColumn,
  timeColumn,
} from '../../lib/parquet.ts';
import type { Line } from '../reward-lines.ts';

/** A line, and what its leaf has of others. */
export interface ArchivedLine {
  /** Its hash of reports is not in the file: it is computed from them. */
  readonly line: Line;
  /** The bill that paid it; null: none did. */
  readonly billId: number | null;
  /** The row of its first report, and how many it has. */
  readonly reportsAt: number;
  readonly reports: number;
}

/** A report that a line was settled with. */
export interface ArchivedReport {
  readonly leaf: number;
  readonly clientId: string;
  readonly report: TrafficReport;
  /** Why it does not count; null: it was accepted. */
  readonly refusal: string | null;
}

/** In this order. Amounts and quantities are decimal text: they have up to 78 digits. */
export const COLUMNS: readonly SchemaElement[] = [
  ...[textColumn('kind'), integerColumn('leaf'), timeColumn('hour'), integerColumn('user')],
  ...[integerColumn('device'), textColumn('node_id'), integerColumn('rule_version')],
  ...[textColumn('rule_hash'), integerColumn('level'), textColumn('part')],
  ...[textColumn('reward_type'), textColumn('status'), integerColumn('referee')],
  ...[textColumn('quantity'), textColumn('rate'), textColumn('settled_before')],
  ...[textColumn('amount'), textColumn('reason'), integerColumn('bill')],
  ...[integerColumn('reports_at'), integerColumn('reports')],
  ...[textColumn('client_id'), textColumn('report_id'), textColumn('bytes_up')],
  ...[textColumn('bytes_down'), textColumn('category'), timeColumn('from'), timeColumn('to')],
  textColumn('refusal'),
];
/** A reader finds the lines of a user by it. */
export const SEARCHED = ['user'] as const;

const big = (value: number | null): bigint | null => (value === null ? null : BigInt(value));
const micros = (time: Date): bigint => BigInt(time.getTime()) * 1000n;

export function lineCells({ line, billId, reportsAt, reports }: ArchivedLine): Cells {
  return {
    kind: 'line',
    leaf: BigInt(line.leaf),
    hour: micros(line.hour),
    user: BigInt(line.userId),
    device: big(line.deviceId),
    node_id: line.nodeId,
    rule_version: BigInt(line.ruleVersion),
    rule_hash: line.ruleHash,
    level: BigInt(line.level),
    part: line.part,
    reward_type: line.rewardType,
    status: line.status,
    referee: big(line.refereeId),
    quantity: line.quantity,
    rate: line.rate,
    settled_before: line.settledBefore,
    amount: line.amount,
    reason: line.reason,
    bill: big(billId),
    reports_at: BigInt(reportsAt),
    reports: BigInt(reports),
  };
}

export function reportCells({ leaf, clientId, report, refusal }: ArchivedReport): Cells {
  return {
    kind: 'report',
    leaf: BigInt(leaf),
    node_id: report.nodeId,
    client_id: clientId,
    report_id: report.reportId,
    bytes_up: String(report.bytesUp),
    bytes_down: String(report.bytesDown),
    category: report.category ?? null,
    from: micros(report.from),
    to: micros(report.to),
    refusal,
  };
}

// What no archive writes reads as a value that no row has: the comparison at the end finds it.
const numberOf = (value: unknown): number =>
  typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : -1;
const nullable = (value: unknown): number | null =>
  value === null || value === undefined ? null : numberOf(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const nullableText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const timeOf = (value: unknown): Date => new Date(Math.floor(numberOf(value) / 1000));
const amountOf = (value: unknown): bigint =>
  typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : -1n;

function isWritten(row: FileRow, cells: Cells): boolean {
  return COLUMNS.every(({ name }) => isSameCell(row[name], cells[name] ?? null));
}

/** @returns undefined for a row that is no line of an archive: each row is written in one way */
export function toLine(settlementId: number, row: FileRow): ArchivedLine | undefined {
  const line: Line = {
    settlementId,
    leaf: numberOf(row.leaf),
    hour: timeOf(row.hour),
    userId: numberOf(row.user),
    deviceId: nullable(row.device),
    ruleVersion: numberOf(row.rule_version),
    ruleHash: textOf(row.rule_hash),
    level: numberOf(row.level),
    part: textOf(row.part),
    rewardType: textOf(row.reward_type),
    status: textOf(row.status) as Line['status'],
    nodeId: textOf(row.node_id),
    refereeId: nullable(row.referee),
    quantity: textOf(row.quantity),
    rate: textOf(row.rate),
    settledBefore: textOf(row.settled_before),
    amount: textOf(row.amount),
    reason: nullableText(row.reason),
    reportsHash: null,
  };
  const places = { reportsAt: numberOf(row.reports_at), reports: numberOf(row.reports) };
  const archived = { line, billId: nullable(row.bill), ...places };
  if (places.reports < 0 || places.reportsAt < 0) return undefined;
  return isWritten(row, lineCells(archived)) ? archived : undefined;
}

/** @returns undefined for a row that is no report of an archive */
export function toReport(row: FileRow): ArchivedReport | undefined {
  const category = nullableText(row.category);
  const report: TrafficReport = {
    reportId: textOf(row.report_id),
    nodeId: textOf(row.node_id),
    bytesUp: amountOf(row.bytes_up),
    bytesDown: amountOf(row.bytes_down),
    ...(category !== null && { category }),
    from: timeOf(row.from),
    to: timeOf(row.to),
  };
  const archived = {
    leaf: numberOf(row.leaf),
    clientId: textOf(row.client_id),
    report,
    refusal: nullableText(row.refusal),
  };
  return isWritten(row, reportCells(archived)) ? archived : undefined;
}
