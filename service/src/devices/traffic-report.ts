/** One traffic report: its validation, and its bytes by hour. */
import { createHash } from 'node:crypto';
import type { CodedMessage } from '../lib/coded-messages.ts';
import type { FailureCode } from '../lib/failures.ts';
import { REFUSAL_REASONS } from './refusal-reasons.ts';

export interface TrafficReport {
  readonly reportId: string;
  readonly nodeId: string;
  readonly bytesUp: bigint;
  readonly bytesDown: bigint;
  readonly category?: string;
  readonly from: Date;
  readonly to: Date;
}

export interface ReportRules {
  readonly now: Date;
  /** How long after its end a report is accepted. */
  readonly window_s: number;
}

/** The device of a report. */
export interface ReportedDevice {
  readonly id: number;
  readonly created_at: Date;
  readonly revoked_as: 'disconnected' | 'deleted' | null;
  readonly revoked_at: Date | null;
  /** Earlier revocations: start and end in milliseconds. */
  readonly disconnections: readonly (readonly [from_ms: number, to_ms: number])[];
}

/** Refusals that the device caused; all others are faults of the relay. */
export const DEVICE_FAULTS: readonly FailureCode[] = ['report_implausible'];

export interface Refusal {
  readonly code: FailureCode;
  readonly reason: CodedMessage;
}

/** Longest ID of a report. */
export const REPORT_ID_MAX = 128;

const { create } = REFUSAL_REASONS;

const HOUR_MS = 3_600_000;
const SPAN_MAX_HOURS = 24;
const SPAN_MAX_MS = SPAN_MAX_HOURS * HOUR_MS;
/** Clocks of relays may be ahead by this much. */
const SKEW_MS = 300_000;
/** No device transfers more. */
const GIGABITS_PER_S_MAX = 100;
const BYTES_PER_MS_OF_GIGABIT = 125_000;
const BYTES_PER_MS_MAX = BigInt(GIGABITS_PER_S_MAX * BYTES_PER_MS_OF_GIGABIT);

/** Why a report is refused for its own values. */
export function checkReport(
  report: TrafficReport,
  { now, window_s }: ReportRules,
): Refusal | undefined {
  const [from_ms, to_ms, now_ms] = [report.from.getTime(), report.to.getTime(), now.getTime()];
  const span_ms = to_ms - from_ms;
  if (span_ms < 0) return { code: 'report_span', reason: create('ends_before_it_begins') };
  if (span_ms === 0) return { code: 'report_span', reason: create('covers_no_time') };
  if (span_ms > SPAN_MAX_MS)
    return { code: 'report_span', reason: create('too_long', { hours: SPAN_MAX_HOURS }) };
  if (to_ms > now_ms + SKEW_MS)
    return { code: 'report_in_future', reason: create('ends_in_future') };
  if (to_ms < now_ms - window_s * 1000)
    return { code: 'report_too_late', reason: create('too_late', { seconds: window_s }) };
  if (report.bytesUp + report.bytesDown > BYTES_PER_MS_MAX * BigInt(span_ms))
    return {
      code: 'report_implausible',
      reason: create('too_many_bytes', { gigabits: GIGABITS_PER_S_MAX }),
    };
  return undefined;
}

function startOfHour(at_ms: number): number {
  return at_ms - (at_ms % HOUR_MS);
}

/** The times of revocation: a disconnection and a deletion after it are one. */
function absences({
  revoked_as,
  revoked_at,
  disconnections,
}: ReportedDevice): readonly (readonly [from_ms: number, to_ms: number])[] {
  const now =
    revoked_as !== null && revoked_at !== null
      ? [[revoked_at.getTime(), Number.POSITIVE_INFINITY] as const]
      : [];
  const joined: [from_ms: number, to_ms: number][] = [];
  for (const [from_ms, to_ms] of [...disconnections, ...now].toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && from_ms <= last[1]) last[1] = Math.max(last[1], to_ms);
    else joined.push([from_ms, to_ms]);
  }
  return joined;
}

/** Why a report is refused for its device. */
export function checkReportedDevice(
  report: TrafficReport,
  device: ReportedDevice,
): Refusal | undefined {
  if (report.to <= device.created_at)
    return { code: 'report_before_registration', reason: create('before_registration') };
  // It may begin before the registration, in the same hour: relays measure in rounds.
  if (report.from.getTime() < startOfHour(device.created_at.getTime()))
    return { code: 'report_before_registration', reason: create('begins_before_registration') };
  const [from_ms, to_ms] = [report.from.getTime(), report.to.getTime()];
  const absence = absences(device).find(
    ([start_ms, end_ms]) => from_ms >= start_ms && to_ms <= end_ms,
  );
  if (!absence) return undefined;
  const isOver = absence[1] !== Number.POSITIVE_INFINITY;
  return {
    code: 'report_after_cut',
    reason: create(
      isOver
        ? 'cut_off_meanwhile'
        : device.revoked_as === 'deleted'
          ? 'after_deletion'
          : 'after_disconnect',
    ),
  };
}

/** Identifies the content: the difference between a repeated report and a reused ID. */
export function hashReport(report: TrafficReport): string {
  const content = [
    report.nodeId,
    report.bytesUp,
    report.bytesDown,
    report.category ?? null,
    report.from.getTime(),
    report.to.getTime(),
  ];
  return createHash('sha256')
    .update(JSON.stringify(content.map(String)))
    .digest('base64url');
}

export interface HourShare {
  readonly hour: Date;
  readonly bytesUp: bigint;
  readonly bytesDown: bigint;
}

/**
 * Spreads a report evenly over the UTC hours it covers; the shares add up to the report exactly.
 */
export function spreadOverHours(report: TrafficReport): HourShare[] {
  const [from_ms, to_ms] = [report.from.getTime(), report.to.getTime()];
  const span_ms = BigInt(to_ms - from_ms);
  const upTo = (bytes: bigint, at_ms: number): bigint =>
    (bytes * BigInt(at_ms - from_ms)) / span_ms;
  const shares: HourShare[] = [];
  for (let hour_ms = startOfHour(from_ms); hour_ms < to_ms; hour_ms += HOUR_MS) {
    const [begin_ms, end_ms] = [Math.max(hour_ms, from_ms), Math.min(hour_ms + HOUR_MS, to_ms)];
    shares.push({
      hour: new Date(hour_ms),
      bytesUp: upTo(report.bytesUp, end_ms) - upTo(report.bytesUp, begin_ms),
      bytesDown: upTo(report.bytesDown, end_ms) - upTo(report.bytesDown, begin_ms),
    });
  }
  return shares;
}
