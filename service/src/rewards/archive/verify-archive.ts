/** Checks the file of an archived settlement without a database. */
import { type FileRow, openParquet, type ReadableParquet } from '../../lib/parquet.ts';
import {
  type ArchivedReport,
  lineCells,
  reportCells,
  toLine,
  toReport,
} from './archive-columns.ts';
import { ArchiveDigest } from './archive-digest.ts';
import {
  type ArchiveBody,
  type ArchiveKey,
  LABEL,
  parseLabel,
  proveLabel,
} from './archive-label.ts';
import { hashReportsOf } from './report-hashes.ts';
import { SettlementRoot } from './settlement-root.ts';

/** A group of rows: reading one takes some 20 ms, in which the instance answers no request. */
const ROWS_AT_ONCE = 2000;

export interface ArchivedSettlementReport {
  readonly file: string;
  /** Empty: everything agrees. */
  readonly problems: readonly string[];
  /** Settlement, hour and root; null: the label does not hold. */
  readonly settlement: Pick<
    ArchiveBody['settlement'],
    'id' | 'kind' | 'hour' | 'lines' | 'root'
  > | null;
  readonly reports: number;
  /** RFC 7638 thumbprint of the key that signed it; null: the label does not hold. */
  readonly kid: string | null;
}

/** The tree that a label names. */
const treeOf = ({ settlement }: ArchiveBody) => ({
  saltKey: Buffer.from(settlement.salt_key, 'hex'),
  lines: settlement.lines,
  buckets: settlement.buckets.map((lines, bucket) => ({ bucket, lines, root: null })),
});

async function* readRows(
  file: ReadableParquet,
  from: number,
  until: number,
): AsyncGenerator<FileRow> {
  for (let start = from; start < until; start += ROWS_AT_ONCE)
    yield* await file.read({ start, end: Math.min(start + ROWS_AT_ONCE, until) });
}

async function readReports(
  rows: AsyncGenerator<FileRow>,
  count: number,
): Promise<ArchivedReport[]> {
  const reports: ArchivedReport[] = [];
  while (reports.length < count) {
    const { value, done } = await rows.next();
    const report = done ? undefined : toReport(value);
    if (!report) break;
    reports.push(report);
  }
  return reports;
}

/**
 * The reports of each line follow those of the line before it, and its leaf has their hash.
 * @returns what is wrong, as text
 */
async function checkRows(file: ReadableParquet, body: ArchiveBody): Promise<string | undefined> {
  const { id, lines } = body.settlement;
  const root = new SettlementRoot(treeOf(body));
  const digest = new ArchiveDigest();
  const ofReports = readRows(file, lines, file.rows);
  let next = lines;
  for await (const row of readRows(file, 0, lines)) {
    const archived = toLine(id, row);
    if (!archived) return 'has a row that is no line of an archive';
    const reports = await readReports(ofReports, archived.reports);
    const { leaf } = archived.line;
    if (archived.reportsAt !== next || reports.length !== archived.reports)
      return `has other reports than line ${leaf} was settled with`;
    next += reports.length;
    root.add({
      ...archived,
      line: { ...archived.line, reportsHash: hashReportsOf(archived.line, reports) },
    });
    digest.add(lineCells(archived));
    for (const report of reports) digest.add(reportCells(report));
  }
  if (next !== file.rows || next !== lines + body.reports) return 'has rows of no line';
  if (root.finish()?.toString('hex') !== body.settlement.root)
    return 'has lines or reports that lead to another root';
  return digest.finish() === body.digest ? undefined : 'has other rows than were signed';
}

/**
 * Checks the signature of the label, the root over all lines, and the reports of each line.
 * @param keys public keys that count; absent: the one in the file, which says nothing of its origin
 * @returns undefined when it is no archive of a settlement
 * @throws when it is no file of Apache Parquet
 */
export async function verifyArchivedSettlement(
  path: string,
  keys?: readonly ArchiveKey[],
): Promise<ArchivedSettlementReport | undefined> {
  const file = await openParquet(path);
  const text = file.label(LABEL);
  if (text === undefined) return undefined;
  const label = parseLabel(text);
  const proven = label ? proveLabel(label, keys ?? [label.key]) : 'has a label that no archive has';
  if (typeof proven === 'string')
    return { file: path, problems: [proven], settlement: null, reports: 0, kid: null };
  const { body, kid } = proven;
  const problem = await checkRows(file, body);
  const { id, kind, hour, lines, root } = body.settlement;
  return {
    file: path,
    problems: problem === undefined ? [] : [problem],
    settlement: { id, kind, hour, lines, root },
    reports: body.reports,
    kid,
  };
}
