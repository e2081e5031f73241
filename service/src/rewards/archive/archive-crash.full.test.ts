/** Archiving and removal that are killed at a statement are continued to the same result. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../../test/support/databases.ts';
import { createDayNetwork } from '../../../test/support/day-network.ts';
import { createDying, Killed } from '../../../test/support/dying-database.ts';
import { sized } from '../../../test/support/scale.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import type { Database } from '../../db/index.ts';
import { createProofKey, settleDue, verifySettlements } from '../index.ts';
import { buildProof } from '../proofs/build-proof.ts';
import { archiveSettlements } from './archive-settlements.ts';
import { removeArchived } from './remove-archived.ts';
import { verifyArchivedSettlement } from './verify-archive.ts';

const STRIDE = sized({ quick: 5, full: 5, soak: 1 });
const TIMEOUT_MS = sized({ quick: 600_000, full: 600_000, soak: 7_200_000 });

describe.each(ENGINES)('an archive that is killed, on %s', (engine) => {
  const directory = mkdtempSync(join(tmpdir(), 'edge-account-killed-'));
  const key = createProofKey(testMasterKey);
  const keys = [{ ...key.published }];
  let database: Database;
  let lab: Awaited<ReturnType<typeof createDayNetwork>>;

  const archive = (db: Database) => archiveSettlements({ db, clock: lab.clock, key, directory });
  /** All that is archived is old enough, and no correction is waited for. */
  const remove = (db: Database) =>
    removeArchived({
      ...{ database: db, clock: lab.clock, keys, directory },
      ...{ keptDays: 0, window_s: -172_800 },
    });

  /** @returns whether it was over before the statement */
  async function killAt(at: number, work: (db: Database) => Promise<unknown>): Promise<boolean> {
    const dying = createDying(database, at, at % 2 === 0, () => true);
    await work(dying.database).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    return dying.count() < at;
  }

  async function proveDay(day: Date) {
    const { rows } = await database.query<{ id: number; user_id: number }>(
      `select id * 2 as id, credit_wallet / 32 as user_id from transfer
        where event_at = $1 and reward_type = 'TRAFFIC' order by id limit 1`,
      [day],
    );
    const [bill] = rows;
    return buildProof({ db: database, key, archive: directory }, bill?.user_id ?? 0, bill?.id ?? 0);
  }

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    lab = await createDayNetwork(database, 1);
  });
  afterAll(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });

  test('continues to the same result after a kill at any statement', {
    timeout: TIMEOUT_MS,
  }, async () => {
    let tried = 0;
    for (let at = 1, isOver = false; !isOver; at += STRIDE) {
      const day = await lab.useDay([1]);
      lab.endDay(day);
      await settleDue(lab.deps());
      const proof = await proveDay(day);
      isOver = await killAt(at, archive);
      await archive(database);
      expect(await proveDay(day)).toEqual(proof);
      isOver = (await killAt(at, remove)) && isOver;
      await remove(database);
      lab.clock.advance(11 * 60_000);
      isOver = (await killAt(at, remove)) && isOver;
      await remove(database);
      expect(await proveDay(day), `killed at statement ${at}`).toEqual(proof);
      const { rowCount } = await database.query("select from reward_line where status <> 'held'");
      expect(rowCount).toBe(0);
      tried++;
    }
    expect(tried).toBeGreaterThan(2);
    for (const file of readdirSync(directory))
      expect(await verifyArchivedSettlement(join(directory, file), keys)).toMatchObject({
        problems: [],
      });
    expect((await verifySettlements(database)).problems).toEqual([]);
  });
});
