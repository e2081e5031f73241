/** A relay that reports what it measured, and some that it did not. */
import { randomInt, randomUUID } from 'node:crypto';
import { bodyOf } from '@edge-account/sdk';
import type { SimulatedDevice } from './device.ts';
import { accepted, type Outcome, type Tally } from './outcome-counter.ts';
import type { Lab } from './simulation-context.ts';

const BATCH_MAX = 1000;
const DAY_MS = 86_400_000;

interface Report {
  readonly report_id: string;
  readonly node_id: string;
  readonly bytes_up: number;
  readonly bytes_down: number;
  readonly category: string;
  readonly from: string;
  readonly to: string;
}

export interface Relay {
  /** Reports the time since the last round for every device that is online. */
  report(devices: readonly SimulatedDevice[]): Promise<void>;
  /** Reports that must be refused, or count once only. */
  misreport(device: SimulatedDevice): Promise<void>;
  /** Bytes that the service accepted, by node. */
  readonly accepted: ReadonlyMap<string, bigint>;
}

export function createRelay(lab: Lab, tally: Tally): Relay {
  const bytes = new Map<string, bigint>();
  let reportedUntil = new Date();

  function newReport(nodeId: string, from: Date, to: Date): Report {
    const measured = { bytes_up: randomInt(1_000_000), bytes_down: randomInt(50_000_000) };
    return {
      report_id: randomUUID(),
      node_id: nodeId,
      ...measured,
      category: 'web',
      from: from.toISOString(),
      to: to.toISOString(),
    };
  }

  const send = (what: string, reports: Report[], expected: string): Promise<void> =>
    tally.guard(what, () => sendOrThrow(what, reports, expected));

  async function sendOrThrow(what: string, reports: Report[], expected: string): Promise<void> {
    const { results } = await bodyOf(
      lab.operator.api.POST('/operator/traffic-reports', { body: { reports } }),
    );
    for (const { index, status, code, reason } of results) {
      const outcome: Outcome =
        code === undefined
          ? accepted(status === 'replayed' ? 'counted before, and once' : undefined)
          : { kind: 'refused', code, ...(reason !== undefined && { words: reason }) };
      tally.count(what, outcome, (code ?? status) === expected);
      const report = reports[index];
      if (status === 'accepted' && report)
        bytes.set(
          report.node_id,
          (bytes.get(report.node_id) ?? 0n) + BigInt(report.bytes_up + report.bytes_down),
        );
    }
  }

  return {
    accepted: bytes,
    async report(devices) {
      const [from, to] = [reportedUntil, new Date()];
      if (to.getTime() - from.getTime() < 1) return;
      reportedUntil = to;
      const reports = devices
        .filter((device) => device.state?.status === 'online')
        .map((device) => newReport(device.nodeId, from, to));
      for (let i = 0; i < reports.length; i += BATCH_MAX) {
        const batch = reports.slice(i, i + BATCH_MAX);
        await send('relay: report', batch, 'accepted');
        if (i === 0) await send('relay: the same reports again', batch.slice(0, 20), 'replayed');
      }
    },
    async misreport({ nodeId }) {
      const now = Date.now();
      const ago = (ms: number): Date => new Date(now - ms);
      const report = newReport(nodeId, ago(1000), ago(0));
      await send('relay: report', [report], 'accepted');
      await send(
        'misfit: report id with other bytes',
        [{ ...report, bytes_up: report.bytes_up + 1 }],
        'report_id_reused',
      );
      await send(
        'misfit: report from the future',
        [newReport(nodeId, ago(0), ago(-DAY_MS / 2))],
        'report_in_future',
      );
      await send(
        'misfit: report of last year',
        [newReport(nodeId, ago(366 * DAY_MS), ago(365 * DAY_MS))],
        'report_too_late',
      );
      await send(
        'misfit: report on an unknown node',
        [newReport(`nobody-${randomUUID()}`, ago(1000), ago(0))],
        'unknown_node',
      );
      await send(
        'misfit: malformed report',
        [{ ...newReport(nodeId, ago(1000), ago(0)), bytes_up: 0.5 }],
        'invalid_parameter',
      );
      await send(
        'misfit: more bytes than a wire carries',
        [{ ...newReport(nodeId, ago(10), ago(0)), bytes_up: 10 ** 15 }],
        'report_implausible',
      );
    },
  };
}
