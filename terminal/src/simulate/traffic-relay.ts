/** A relay with correct and with wrong traffic reports. */
import { randomInt, randomUUID } from 'node:crypto';
import { unwrap } from '@edge-account/sdk';
import type { SimulatedDevice } from './device.ts';
import { accepted, type Outcome, type OutcomeCounter } from './outcome-counter.ts';
import type { SimulationContext } from './simulation-context.ts';

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

/** Every wrong report, with the code that it must be refused with. */
function wrongReports(correct: Report): readonly (readonly [string, Report, string])[] {
  const { node_id: nodeId } = correct;
  const now_ms = Date.now();
  const ago = (ms: number): Date => new Date(now_ms - ms);
  const lastSecond = newReport(nodeId, ago(1000), ago(0));
  return [
    [
      'misuse: report id with other bytes',
      { ...correct, bytes_up: correct.bytes_up + 1 },
      'report_id_reused',
    ],
    [
      'misuse: report from the future',
      newReport(nodeId, ago(0), ago(-DAY_MS / 2)),
      'report_in_future',
    ],
    [
      'misuse: report of last year',
      newReport(nodeId, ago(366 * DAY_MS), ago(365 * DAY_MS)),
      'report_too_late',
    ],
    [
      'misuse: report on an unknown node',
      { ...lastSecond, node_id: `unknown-${randomUUID()}` },
      'unknown_node',
    ],
    ['misuse: malformed report', { ...lastSecond, bytes_up: 0.5 }, 'invalid_parameter'],
    [
      'misuse: more bytes than a wire carries',
      { ...newReport(nodeId, ago(10), ago(0)), bytes_up: 10 ** 15 },
      'report_implausible',
    ],
  ];
}

function newReport(nodeId: string, from: Date, to: Date): Report {
  return {
    report_id: randomUUID(),
    node_id: nodeId,
    bytes_up: randomInt(1_000_000),
    bytes_down: randomInt(50_000_000),
    category: 'web',
    from: from.toISOString(),
    to: to.toISOString(),
  };
}

export class Relay {
  readonly #context: SimulationContext;
  readonly #outcomes: OutcomeCounter;
  readonly #accepted = new Map<string, bigint>();
  #reportedUntil = new Date();

  constructor(context: SimulationContext, outcomes: OutcomeCounter) {
    this.#context = context;
    this.#outcomes = outcomes;
  }

  /** Bytes that the service accepted, by node. */
  get accepted(): ReadonlyMap<string, bigint> {
    return this.#accepted;
  }

  /** Reports the time since the last round for every device that is online. */
  async report(devices: readonly SimulatedDevice[]): Promise<void> {
    const [from, to] = [this.#reportedUntil, new Date()];
    if (to.getTime() - from.getTime() < 1) return;
    this.#reportedUntil = to;
    const reports = devices
      .filter((device) => device.state?.status === 'online')
      .map((device) => newReport(device.nodeId, from, to));
    for (let i = 0; i < reports.length; i += BATCH_MAX) {
      const batch = reports.slice(i, i + BATCH_MAX);
      await this.#send('relay: report', batch, 'accepted');
      if (i === 0)
        await this.#send('relay: the same reports again', batch.slice(0, 20), 'replayed');
    }
  }

  /** Sends reports that must be refused. */
  async misreport({ nodeId }: SimulatedDevice): Promise<void> {
    const now_ms = Date.now();
    const correct = newReport(nodeId, new Date(now_ms - 1000), new Date(now_ms));
    await this.#send('relay: report', [correct], 'accepted');
    for (const [what, report, code] of wrongReports(correct))
      await this.#send(what, [report], code);
  }

  #send(what: string, reports: readonly Report[], expected: string): Promise<void> {
    return this.#outcomes.guard(what, () => this.#sendOrThrow(what, reports, expected));
  }

  async #sendOrThrow(what: string, reports: readonly Report[], expected: string): Promise<void> {
    const { results } = await unwrap(
      this.#context.operator.api.POST('/operator/traffic-reports', {
        body: { reports: [...reports] },
      }),
    );
    for (const { index, status, code, reason } of results) {
      const outcome: Outcome =
        code === undefined
          ? accepted(status === 'replayed' ? 'counted before, and once' : undefined)
          : { kind: 'refused', code, ...(reason !== undefined && { words: reason }) };
      this.#outcomes.count(what, outcome, (code ?? status) === expected);
      const report = reports[index];
      if (status !== 'accepted' || !report) continue;
      const bytes = BigInt(report.bytes_up + report.bytes_down);
      this.#accepted.set(report.node_id, (this.#accepted.get(report.node_id) ?? 0n) + bytes);
    }
  }
}
