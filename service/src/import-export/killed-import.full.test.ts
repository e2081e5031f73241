/** SIGKILL before statements of an import: the run after it ends with the same result. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runKilledChild } from '../../test/support/child-node.ts';
import { createServerDatabase } from '../../test/support/databases.ts';
import { createImportFolder, type ImportFolder } from '../../test/support/import-folder.ts';
import {
  findProblems,
  MOVED,
  readBalances,
  readState,
  writeSource,
} from '../../test/support/import-source.ts';
import { sized } from '../../test/support/scale.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { openServer } from '../db/index.ts';
import { installLedger } from '../ledger/index.ts';
import { systemClock } from '../lib/clock.ts';

const CHILD = new URL('../../test/support/import-child.ts', import.meta.url).pathname;
/** Every nth statement; every one in the soak. */
const STRIDE = sized({ quick: 23, full: 7, soak: 1 });

let folder: ImportFolder;
beforeAll(() => {
  folder = createImportFolder();
  writeSource(folder);
});
afterAll(() => folder.remove());

/** Returns the statements that the child ran, or undefined when it was killed. */
async function runChild(where: string, killAt: number): Promise<number | undefined> {
  const output = await runKilledChild(CHILD, [folder.path, where, String(killAt)]);
  return output === undefined ? undefined : Number(output);
}

async function readResult(url: string): Promise<unknown> {
  const database = await openServer({ url, poolSize: 2, onError: () => {} });
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
  try {
    expect(await findProblems(database)).toEqual([]);
    expect(await readBalances(database)).toEqual(MOVED);
    return await readState(database);
  } finally {
    await database.close();
  }
}

test('a killed import is continued by the next run', {
  timeout: sized({ quick: 120_000, full: 600_000, soak: 3_600_000 }),
}, async () => {
  const whole = await createServerDatabase({ isOwner: true });
  const statements = (await runChild(whole, 0)) ?? 0;
  const expected = await readResult(whole);
  expect(statements).toBeGreaterThan(STRIDE);
  // Killed repeatedly in one database: each run is killed later than the previous one.
  const url = await createServerDatabase({ isOwner: true });
  let kills = 0;
  for (let at = 3; at < statements; at += STRIDE) {
    if ((await runChild(url, at)) === undefined) kills++;
  }
  expect(kills).toBeGreaterThan(1);
  await runChild(url, 0);
  expect(await readResult(url)).toEqual(expected);
});
