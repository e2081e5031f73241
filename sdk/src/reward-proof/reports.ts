/** Whether usage reports are those that were settled, and make up the quantity of their line. */
import { sha256, toBase64Url, toHex } from './hashing.ts';
import { type LineProof, leafFormatOf } from './proof.ts';
import { HOUR_MS } from './rules.ts';

type Reports = LineProof['reports'];

/** No relay may report more at once. */
const SPAN_MAX_MS = 86_400_000;

const encoder = new TextEncoder();

/** The bytes of a report that fall into one hour, when they are spread evenly over its time. */
function bytesInHour(bytes: bigint, from_ms: number, to_ms: number, hour_ms: number): bigint {
  const upTo = (at_ms: number): bigint =>
    (bytes * BigInt(Math.min(Math.max(at_ms, from_ms), to_ms) - from_ms)) / BigInt(to_ms - from_ms);
  return upTo(hour_ms + HOUR_MS) - upTo(hour_ms);
}

/** Undefined when a report has nothing to do with the line. */
function trafficOf({ line, reports }: LineProof): bigint | undefined {
  const hour_ms = Date.parse(line.hour);
  let sum = 0n;
  for (const { bytes_up, bytes_down, category, from, to } of reports) {
    const [from_ms, to_ms] = [Date.parse(from), Date.parse(to)];
    const span_ms = to_ms - from_ms;
    if (category !== line.part || !(span_ms > 0 && span_ms <= SPAN_MAX_MS)) return undefined;
    sum +=
      bytesInHour(BigInt(bytes_up), from_ms, to_ms, hour_ms) +
      bytesInHour(BigInt(bytes_down), from_ms, to_ms, hour_ms);
  }
  return sum;
}

/** As the service noted it when the report came. */
async function hashContent(
  nodeId: string,
  { bytes_up, bytes_down, category, from, to }: Reports[number],
): Promise<string> {
  const content = [
    nodeId,
    bytes_up,
    bytes_down,
    category === '' ? null : category,
    Date.parse(from),
    Date.parse(to),
  ];
  return toBase64Url(await sha256(encoder.encode(JSON.stringify(content.map(String)))));
}

/**
 * What the leaf carries of its reports. No text holds the zero that ends each, or one report could
 * pass for two.
 */
async function hashReports(nodeId: string, reports: Reports): Promise<string> {
  const texts: string[] = [];
  for (const report of reports)
    texts.push(report.client_id, report.report_id, await hashContent(nodeId, report));
  if (texts.some((text) => text.includes('\0'))) throw new RangeError('a name holds a zero');
  return toHex(await sha256(encoder.encode(texts.map((text) => `${text}\0`).join(''))));
}

export async function hasReports(proof: LineProof): Promise<boolean> {
  const { line, reports } = proof;
  const ids = new Set(
    reports.map(({ client_id, report_id }) => JSON.stringify([client_id, report_id])),
  );
  if (ids.size < reports.length) return false;
  const isTraffic = line.reward_type === 'TRAFFIC';
  if (isTraffic && trafficOf(proof) !== BigInt(line.quantity)) return false;
  if (leafFormatOf(proof) === 2) return isTraffic || reports.length === 0;
  const isPenalty = line.reward_type === 'PENALTY';
  if (isPenalty && BigInt(reports.length) !== BigInt(line.quantity)) return false;
  if (!isTraffic && !isPenalty) return reports.length === 0 && line.reports_hash === '';
  return line.reports_hash === (await hashReports(line.node_id, reports));
}
