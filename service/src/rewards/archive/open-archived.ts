/** Reads the lines and reports of a settlement from its file. */
import { join } from 'node:path';
import { failure } from '../../lib/failures.ts';
import { type FileRow, openParquet, type ReadableParquet } from '../../lib/parquet.ts';
import { type Bucket, partsOf } from '../buckets.ts';
import type { Line } from '../reward-lines.ts';
import type { Settlement } from '../settlements.ts';
import { type ArchivedLine, type ArchivedReport, toLine, toReport } from './archive-columns.ts';
import { hashReportsOf } from './report-hashes.ts';
import { archiveFileOf } from './write-archive.ts';

/** A line with its reports, in their order. */
export interface ReportedLine extends ArchivedLine {
  readonly ofLine: readonly ArchivedReport[];
}

export interface ArchivedSettlement {
  /** Leaves from `first` on, in order. */
  readLines(first: number, count: number): Promise<ReportedLine[]>;
  /** The lines of a user that a bill paid, without the hash of their reports. */
  findLines(userId: number, billId: number): Promise<Omit<Line, 'reportsHash'>[]>;
}

/** The row of a leaf, from 0; the lines of a part follow one another. */
function rowOf(settlement: Settlement, buckets: readonly Bucket[], leaf: number): number {
  let rows = 0;
  for (const { first, lines } of partsOf(settlement.lines, buckets)) {
    if (leaf >= first && leaf < first + lines) return rows + leaf - first;
    rows += lines;
  }
  return rows;
}

async function openFile(directory: string | undefined, name: string): Promise<ReadableParquet> {
  try {
    if (directory === undefined) throw new Error('REWARD_ARCHIVE_TO is not set');
    return await openParquet(join(directory, name));
  } catch (cause) {
    const detail = 'The records of this reward are archived, and the archive cannot be read now.';
    throw failure('unavailable', { detail, cause });
  }
}

const toLines = (settlement: Settlement, rows: readonly FileRow[]): ArchivedLine[] =>
  rows.map((row) => toLine(settlement.id, row)).filter((line) => line !== undefined);

/** Adds their reports to consecutive lines: those of one follow those of the line before. */
async function addReports(
  file: ReadableParquet,
  lines: readonly ArchivedLine[],
): Promise<ReportedLine[]> {
  const [start, last] = [lines[0]?.reportsAt ?? 0, lines.at(-1)];
  const end = last ? last.reportsAt + last.reports : 0;
  const rows = end > start ? await file.read({ start, end }) : [];
  return lines.map((archived) => {
    const { line, reportsAt, reports } = archived;
    const ofLine = rows
      .slice(reportsAt - start, reportsAt - start + reports)
      .map(toReport)
      .filter((report) => report !== undefined);
    return { ...archived, line: { ...line, reportsHash: hashReportsOf(line, ofLine) }, ofLine };
  });
}

/** @throws `unavailable` when the file cannot be read */
export async function openArchived(
  directory: string | undefined,
  settlement: Settlement,
  buckets: readonly Bucket[],
): Promise<ArchivedSettlement> {
  const file = await openFile(directory, archiveFileOf(settlement));
  return {
    readLines: async (first, count) => {
      const start = rowOf(settlement, buckets, first);
      const rows = await file.read({ start, end: Math.min(start + count, settlement.lines) });
      // Rows after the last leaf of a part are of the next one.
      const lines = toLines(settlement, rows).filter(
        ({ line }) => line.leaf >= first && line.leaf < first + count,
      );
      return addReports(file, lines);
    },
    findLines: async (userId, billId) => {
      const filter = { user: { $eq: BigInt(userId) } };
      const rows = await file.read({ start: 0, end: settlement.lines, filter });
      return toLines(settlement, rows).flatMap(({ billId: paidBy, line }) =>
        paidBy === billId ? [line] : [],
      );
    },
  };
}
