/** Writes a settlement into a file (Apache Parquet): its lines, then their reports. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../../db/index.ts';
import { createParquetFile, type ParquetFile, publishFile } from '../../lib/parquet.ts';
import { listBuckets } from '../buckets.ts';
import type { ProofKey } from '../proofs/proof-key.ts';
import type { Settlement } from '../settlements.ts';
import { COLUMNS, lineCells, reportCells, SEARCHED } from './archive-columns.ts';
import { ArchiveDigest } from './archive-digest.ts';
import { createLabel, LABEL } from './archive-label.ts';
import { readSettledLines, readSettledReports } from './read-settled.ts';
import { hashReportsOf } from './report-hashes.ts';
import { SettlementRoot } from './settlement-root.ts';

/** The database does not agree with the root of a settlement: it is not archived. */
export class SettlementDisagrees extends Error {
  constructor({ id }: Settlement, problem: string) {
    super(`settlement ${id} is not archived, because ${problem}: run edge-account verify`);
    this.name = 'SettlementDisagrees';
  }
}

/** The file of a settlement in the folder of the archive. */
export function archiveFileOf({ id, hour }: Pick<Settlement, 'id' | 'hour'>): string {
  return `rewards-${hour.toISOString().slice(0, 10)}-${id}.parquet`;
}

export interface ArchiveDeps {
  readonly db: Db;
  readonly key: ProofKey;
  /** Folder of the archive. */
  readonly directory: string;
  /** Ends it before the next row; the file that it is at is not written. */
  readonly signal?: AbortSignal;
}

interface Rows {
  readonly reports: number;
  readonly digest: string;
}

/** @throws SettlementDisagrees */
async function writeRows(
  { db, signal }: ArchiveDeps,
  settlement: Settlement,
  file: ParquetFile,
): Promise<Rows> {
  const digest = new ArchiveDigest();
  const root = new SettlementRoot({ ...settlement, buckets: await listBuckets(db, settlement.id) });
  const add = async (cells: ReturnType<typeof lineCells>): Promise<void> => {
    signal?.throwIfAborted();
    digest.add(cells);
    await file.add(cells);
  };
  let expected = 0;
  for await (const line of readSettledLines(db, settlement)) {
    root.add(line);
    if (line.reports === 0 && hashReportsOf(line.line, []) !== line.line.reportsHash)
      throw new SettlementDisagrees(settlement, `line ${line.line.leaf} has other reports`);
    expected += line.reports;
    await add(lineCells(line));
  }
  const computed = root.finish();
  if (!computed || !settlement.root?.equals(computed))
    throw new SettlementDisagrees(settlement, 'its lines have another root');
  let reports = 0;
  for await (const { line, reports: ofLine } of readSettledReports(db, settlement)) {
    if (hashReportsOf(line, ofLine) !== line.reportsHash)
      throw new SettlementDisagrees(settlement, `line ${line.leaf} has other reports`);
    reports += ofLine.length;
    for (const report of ofLine) await add(reportCells(report));
  }
  if (reports !== expected) throw new SettlementDisagrees(settlement, 'reports of it are gone');
  return { reports, digest: digest.finish() };
}

/**
 * Writes the file of a settlement. It is whole or not there; one that is there is replaced by the
 * same.
 * @throws SettlementDisagrees
 */
export async function writeArchive(deps: ArchiveDeps, settlement: Settlement): Promise<void> {
  const path = join(deps.directory, archiveFileOf(settlement));
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  try {
    const file = createParquetFile(unfinished, COLUMNS, SEARCHED);
    const { reports, digest } = await writeRows(deps, settlement, file);
    const { id, kind, hour, lines, saltKey, root } = settlement;
    const buckets = await listBuckets(deps.db, id);
    const value = createLabel(deps.key, {
      settlement: {
        ...{ id, kind, hour: hour.toISOString(), lines },
        buckets: buckets.map((bucket) => bucket.lines ?? 0),
        salt_key: saltKey.toString('hex'),
        root: root?.toString('hex') ?? '',
      },
      reports,
      digest,
    });
    await file.finish({ key: LABEL, value });
    publishFile(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
}
