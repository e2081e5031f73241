/** Where the records of a settlement are: in the database, or in its archive. */
import type { Db } from '../../db/index.ts';
import type { ArchivedReport } from '../archive/archive-columns.ts';
import type { ArchivedSettlement, RewardArchive } from '../archive/open-archived.ts';
import { type BillIds, type Line, readBillIds, readLines } from '../reward-lines.ts';
import type { Settlement } from '../settlements.ts';
import { findChangedUptime } from '../verify-usage.ts';
import { findReports } from './find-reports.ts';
import type { LineProof } from './proof.ts';

export interface SettledRecords {
  /** Leaves from `first` on, in order, and the bills that paid them. */
  readLines(first: number, count: number): Promise<{ lines: readonly Line[]; bills: BillIds }>;
  /** The reports of a line, and what is wrong with its usage, as text. */
  findUsage(line: Line): Promise<{ reports: LineProof['reports']; problem?: string }>;
}

function storedRecords(db: Db, { id }: Settlement): SettledRecords {
  return {
    readLines: async (first, count) => ({
      lines: await readLines(db, id, first, count),
      bills: await readBillIds(db, id, first, count),
    }),
    findUsage: async (line) => {
      const { reports, changed } = await findReports(db, line);
      if (changed.length > 0)
        return { reports, problem: `Traffic report ${changed[0]} is not what the relay sent` };
      const [problem] = await findChangedUptime(db, id, line.leaf, line.leaf + 1);
      if (problem === undefined) return { reports };
      const detail = `The measured time online is not what was settled (${problem})`;
      return { reports, problem: detail };
    },
  };
}

const toProven = ({ clientId, report }: ArchivedReport): LineProof['reports'][number] => ({
  client_id: clientId,
  report_id: report.reportId,
  bytes_up: String(report.bytesUp),
  bytes_down: String(report.bytesDown),
  category: report.category ?? '',
  from: report.from.toISOString(),
  to: report.to.toISOString(),
});

function archivedRecords(archived: ArchivedSettlement): SettledRecords {
  const read = new Map<number, readonly ArchivedReport[]>();
  return {
    readLines: async (first, count) => {
      const found = await archived.readLines(first, count);
      for (const { line, ofLine } of found) read.set(line.leaf, ofLine);
      const bills = found.flatMap(({ line, billId }) =>
        billId === null ? [] : [[line.leaf, billId] as const],
      );
      return { lines: found.map(({ line }) => line), bills: new Map(bills) };
    },
    // The leaf has their hash: reports that were altered lead to another root.
    findUsage: async ({ leaf }) => ({ reports: (read.get(leaf) ?? []).map(toProven) }),
  };
}

/** @throws `unavailable` when they are archived, and the archive cannot be read */
export async function recordsOf(
  db: Db,
  archive: RewardArchive,
  settlement: Settlement,
): Promise<SettledRecords> {
  if (settlement.movedAt === null) return storedRecords(db, settlement);
  return archivedRecords(await archive.open(settlement));
}
