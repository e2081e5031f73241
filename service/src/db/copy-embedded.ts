/** A copy of the embedded database while it is used. */
import { constants } from 'node:fs';
import { cp, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './types.ts';

/** Resolves when the file or directory is on the disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Copies the data of the database in `directory` to `target`, a new directory of the same shape.
 * Statements wait for that long: they share one connection, which this holds. The copy is that of
 * an engine which was killed without a transaction under way: the next start on it has all that was
 * committed.
 */
export async function copyEmbedded(
  database: Database,
  directory: string,
  target: string,
): Promise<void> {
  await mkdir(target, { mode: 0o700 });
  const client = await database.pool.connect();
  try {
    await client.query('checkpoint');
    // A file system that can share blocks copies nothing.
    const mode = constants.COPYFILE_FICLONE;
    await cp(join(directory, 'pg'), join(target, 'pg'), { recursive: true, mode });
  } finally {
    client.release();
  }
  for (const entry of await readdir(target, { recursive: true })) await sync(join(target, entry));
  await sync(target);
}
