/** Writes what was posted between two signed heads into a file (Apache Parquet). */
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Db, transaction } from '../../db/index.ts';
import { createParquetFile, type ParquetFile, publishFile } from '../../lib/parquet.ts';
import { getLedgerContext } from '../ledger-context.ts';
import { listLedgerKeys } from '../ledger-keys.ts';
import { loadReference } from '../reference-data.ts';
import { type HeadBody, type SignedHead, signText } from '../signed-heads.ts';
import { COLUMNS, toCells } from './archive-columns.ts';
import { createBody, isSamePlace, LABEL, placesOf, type ShardPlace } from './archive-label.ts';
import { LedgerDisagrees, mergeByTime, readBatches } from './read-batches.ts';
import { type SealedBatch, ShardDigest } from './sealed-batch.ts';

/** Two heads that follow each other; null stands for the time before the first posting. */
export interface Period {
  readonly from: SignedHead | null;
  readonly to: SignedHead;
}

interface PeriodPlaces {
  readonly from: readonly ShardPlace[];
  readonly to: readonly ShardPlace[];
}

/** Undefined for a head of an early version, which does not say where every shard stands. */
export function placesOfPeriod({ from, to }: Period): PeriodPlaces | undefined {
  const places = {
    from: placesOf(from && (JSON.parse(from.body) as HeadBody)),
    to: placesOf(JSON.parse(to.body) as HeadBody),
  };
  return places.from && places.to && { from: places.from, to: places.to };
}

/** The batches of a period. @throws LedgerDisagrees for what its seal does not cover */
export async function* readPeriod(db: Db, { from, to }: PeriodPlaces): AsyncGenerator<SealedBatch> {
  const source = { db, key: getLedgerContext(db).sealKey, reference: await loadReference(db) };
  yield* mergeByTime(
    to.flatMap((end) => {
      const start = from[end.shard];
      return start ? [readBatches(source, start, end)] : [];
    }),
  );
}

interface Written {
  readonly rows: number;
  readonly digests: readonly string[];
}

/** @throws LedgerDisagrees for what its seal does not cover */
async function writeRows(
  batches: AsyncIterable<SealedBatch>,
  file: Pick<ParquetFile, 'add'>,
  { shards, signal }: { readonly shards: number; readonly signal: AbortSignal | undefined },
): Promise<Written> {
  const digests = Array.from({ length: shards }, () => new ShardDigest());
  let rows = 0;
  for await (const batch of batches) {
    signal?.throwIfAborted();
    const { shard, position: seal } = batch.head;
    digests[shard]?.add(batch);
    for (const row of batch.rows) {
      await file.add(toCells({ shard, seal }, row));
      rows += 1;
    }
  }
  return { rows, digests: digests.map((digest) => digest.finish()) };
}

export const archiveFileOf = ({ day }: SignedHead): string => `ledger-${day}.parquet`;

export interface WrittenArchive {
  readonly file: string;
  /** Transfers, steps of holds and refused postings; 0: nothing was posted, and no file written. */
  readonly rows: number;
}

/**
 * Writes the file of a period into a directory, whole or not at all.
 * @param signal ends it: nothing is written
 * @returns undefined when it is there already
 * @throws LedgerDisagrees when the ledger does not agree with its seals, or with a head
 */
export async function writeArchive(
  db: Db,
  directory: string,
  period: Period,
  signal?: AbortSignal,
): Promise<WrittenArchive | undefined> {
  const name = archiveFileOf(period.to);
  const path = join(directory, name);
  if (existsSync(path)) return undefined;
  const places = placesOfPeriod(period);
  if (!places)
    throw new LedgerDisagrees(
      `the head of ${period.to.day}, or the one before it,`,
      'does not say where every shard stands (an early version signed it): use --from',
    );
  if (isSamePlace(places.from, places.to)) return { file: name, rows: 0 };
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  try {
    const file = createParquetFile(unfinished, COLUMNS);
    const { rows, digests } = await writeRows(readPeriod(db, places), file, {
      shards: places.to.length,
      signal,
    });
    const body = createBody(period.from, period.to, digests);
    const archive = await transaction(db, (tx) => signText(tx, body));
    const keys = (await listLedgerKeys(db)).map(({ public_jwk }) => public_jwk);
    const label = { archive, from: period.from, to: period.to, keys };
    await file.finish({ key: LABEL, value: JSON.stringify(label) });
    publishFile(unfinished, path);
    return { file: name, rows };
  } finally {
    rmSync(unfinished, { force: true });
  }
}
