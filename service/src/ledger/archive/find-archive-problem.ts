/** Compares the file of a period with the database, before rows of the period are removed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../../db/index.ts';
import { getLedgerContext } from '../ledger-context.ts';
import { listLedgerKeys } from '../ledger-keys.ts';
import { isSamePlace } from './archive-label.ts';
import { openArchive } from './read-archive.ts';
import { LedgerDisagrees } from './read-batches.ts';
import { ShardDigest } from './sealed-batch.ts';
import { verifyArchives } from './verify-archive.ts';
import { archiveFileOf, type Period, placesOfPeriod, readPeriod } from './write-archive.ts';

type Compared = { readonly db: Db; readonly directory: string; readonly signal?: AbortSignal };

/** The file itself: signatures, rows, seals, and that it is of these heads. */
async function findFileProblem(
  { db, directory }: Compared,
  { from, to }: Period,
): Promise<string | undefined> {
  const path = join(directory, archiveFileOf(to));
  if (!existsSync(path)) return 'is missing';
  const keys = (await listLedgerKeys(db)).map(({ public_jwk }) => public_jwk);
  const { sealKey } = getLedgerContext(db);
  for await (const { findings } of verifyArchives([path], { keys, sealKey, heads: [to] }))
    if (findings[0]) return `${findings[0].row} ${findings[0].detail}`;
  const { label } = await openArchive(path);
  const isOfPeriod = label?.to.body === to.body && label.from?.body === from?.body;
  return isOfPeriod ? undefined : 'is of another period';
}

/** The digests of the rows in the database, which agree with their seals. */
async function digestPeriod(
  { db, signal }: Compared,
  period: Period,
): Promise<readonly string[] | undefined> {
  const places = placesOfPeriod(period);
  if (!places) return undefined;
  const digests = places.to.map(() => new ShardDigest());
  for await (const batch of readPeriod(db, places)) {
    signal?.throwIfAborted();
    digests[batch.head.shard]?.add(batch);
  }
  return digests.map((digest) => digest.finish());
}

/**
 * What is wrong with the file of a period, or with the rows in the database that it is a copy of.
 * Both are read as a whole.
 * @returns undefined when they have the same rows, which the seals cover
 */
export async function findArchiveProblem(
  compared: Compared,
  period: Period,
): Promise<string | undefined> {
  const places = placesOfPeriod(period);
  if (places && isSamePlace(places.from, places.to)) return undefined;
  const name = archiveFileOf(period.to);
  try {
    const problem = await findFileProblem(compared, period);
    if (problem !== undefined) return `${name}: ${problem}`;
    const { label } = await openArchive(join(compared.directory, name));
    const signed = JSON.parse(label?.archive.body ?? '{}') as { digests?: readonly string[] };
    const digests = await digestPeriod(compared, period);
    const isSame = digests?.every((digest, i) => digest === signed.digests?.[i]) ?? false;
    return isSame ? undefined : `${name}: has other rows than the database`;
  } catch (error) {
    if (error instanceof LedgerDisagrees) return error.message;
    throw error;
  }
}
