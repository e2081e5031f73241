/** Reads the lines and reports of a settlement from its file. */
import { join } from 'node:path';
import type { Db } from '../../db/index.ts';
import { failure } from '../../lib/failures.ts';
import { type FileRow, openParquet, type ReadableParquet } from '../../lib/parquet.ts';
import { type Bucket, listBuckets, partsOf } from '../buckets.ts';
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

/** @throws `unavailable` when `work` cannot read the archive */
async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
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
  const start = lines[0]?.reportsAt ?? 0;
  const count = lines.reduce((sum, { reports }) => sum + reports, 0);
  const end = Math.min(start + count, file.rows);
  const rows = end > start ? await file.read({ start, end }) : [];
  let next = 0;
  return lines.map((archived) => {
    const { line, reports } = archived;
    const ofLine = rows
      .slice(next, next + reports)
      .map(toReport)
      .filter((report) => report !== undefined);
    next += reports;
    return { ...archived, line: { ...line, reportsHash: hashReportsOf(line, ofLine) }, ofLine };
  });
}

async function openSettlement(
  directory: string | undefined,
  settlement: Settlement,
  buckets: readonly Bucket[],
): Promise<ArchivedSettlement> {
  if (directory === undefined) throw new Error('REWARD_ARCHIVE_TO is not set');
  const file = await openParquet(join(directory, archiveFileOf(settlement)));
  return {
    readLines: (first, count) =>
      orUnavailable(async () => {
        const start = rowOf(settlement, buckets, first);
        const rows = await file.read({ start, end: Math.min(start + count, settlement.lines) });
        // Rows after the last leaf of a part are of the next one.
        const lines = toLines(settlement, rows).filter(
          ({ line }) => line.leaf >= first && line.leaf < first + count,
        );
        return addReports(file, lines);
      }),
    findLines: (userId, billId) =>
      orUnavailable(async () => {
        const filter = { user: { $eq: BigInt(userId) } };
        const rows = await file.read({ start: 0, end: settlement.lines, filter });
        return toLines(settlement, rows).flatMap(({ billId: paidBy, line }) =>
          paidBy === billId ? [line] : [],
        );
      }),
  };
}

/** The archive as one proof reads it: each file is opened once. */
export interface RewardArchive {
  /** @throws `unavailable` when the file cannot be read */
  open(settlement: Settlement): Promise<ArchivedSettlement>;
}

/** @param directory of the archive; undefined: there is none */
export function openArchive(db: Db, directory: string | undefined): RewardArchive {
  const opened = new Map<number, Promise<ArchivedSettlement>>();
  return {
    open(settlement) {
      const known = opened.get(settlement.id);
      if (known) return known;
      const found = orUnavailable(async () =>
        openSettlement(directory, settlement, await listBuckets(db, settlement.id)),
      );
      opened.set(settlement.id, found);
      return found;
    },
  };
}
