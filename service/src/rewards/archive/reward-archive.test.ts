import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { verifyRewardProof } from '@edge-account/sdk/reward-proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import { createDayNetwork } from '../../../test/support/day-network.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import { asPerson, createTestServer } from '../../../test/support/test-server.ts';
import type { Database } from '../../db/index.ts';
import { recordTraffic } from '../../devices/index.ts';
import { archivePeriods, removeMonths, signDailyHead, verifyLedger } from '../../ledger/index.ts';
import { findFirstLine } from '../find-first-line.ts';
import { createProofKey, registerRewards, settleDue, verifySettlements } from '../index.ts';
import { payDays } from '../pay-days.ts';
import { buildProof } from '../proofs/build-proof.ts';
import type { Proof } from '../proofs/proof.ts';
import { archiveSettlements } from './archive-settlements.ts';
import { measureNotArchived } from './measure-not-archived.ts';
import { removeArchived } from './remove-archived.ts';
import { verifyArchivedSettlement } from './verify-archive.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEPT_DAYS = 40;
const WINDOW_S = 604_800;

describe.each(RUN_ENGINES)('the archive of settlements on %s', (engine) => {
  const directory = mkdtempSync(join(tmpdir(), 'edge-account-rewards-'));
  const key = createProofKey(testMasterKey);
  const keys = [{ ...key.published }];
  let database: Database;
  let lab: Awaited<ReturnType<typeof createDayNetwork>>;
  let proofs: ReadonlyMap<number, Proof>;
  /** Rows of usage that no settlement has seen. */
  let unsettled: readonly number[];

  const archive = (signal?: AbortSignal) =>
    archiveSettlements({
      db: database,
      clock: lab.clock,
      key,
      directory,
      ...(signal && { signal }),
    });
  /** Unless a test says otherwise, no correction is waited for. */
  const remove = (window_s = -2 * 86_400) =>
    removeArchived({
      ...{ database, clock: lab.clock, keys, directory },
      ...{ keptDays: KEPT_DAYS, window_s, stepLines: 2 },
    });
  const files = (): string[] => readdirSync(directory).sort();
  const count = async (text: string): Promise<number> =>
    (await database.query<{ n: number }>(`select count(*)::int as n from ${text}`)).rows[0]?.n ??
    -1;

  const countUsage = () =>
    Promise.all(['device_hour', 'traffic_hour', 'traffic_report'].map(count));

  /** The proof of every bill that rules paid. */
  async function proveAll(): Promise<Map<number, Proof>> {
    const { rows } = await database.query<{ bill: number; user_id: number }>(
      `select id * 2 + case when credit_wallet > 0 then 0 else 1 end as bill,
          greatest(credit_wallet, debit_wallet) / 32 as user_id
        from transfer where idempotency_key ~ '^reward(-day)?:' order by id`,
    );
    const all = new Map<number, Proof>();
    for (const { bill, user_id } of rows)
      all.set(bill, await buildProof({ db: database, key, archive: directory }, user_id, bill));
    return all;
  }

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    lab = await createDayNetwork(database, 1);
    // A day that is paid by the hour, one that is paid as a day, and a late report in between.
    lab.endDay(await lab.useDay([1, 2]));
    await settleDue(lab.deps(database, 'hour'));
    const day = await lab.useDay([3, 4]);
    lab.endDay(day);
    await settleDue(lab.deps());
    lab.clock.advance(HOUR_MS);
    const from = new Date(day.getTime() + 3 * HOUR_MS);
    const nodeId = lab.network.devices[0]?.nodeId ?? '';
    await recordTraffic(database, { clock: lab.clock, window_s: WINDOW_S }, 'relay', [
      {
        ...{ reportId: 'late', nodeId, bytesUp: 500_000_000n, bytesDown: 0n, category: 'web' },
        ...{ from, to: new Date(from.getTime() + HOUR_MS) },
      },
    ]);
    lab.endDay(await lab.useDay([1]));
    await settleDue(lab.deps());
    proofs = await proveAll();
    const before = await countUsage();
    await lab.useDay([1]);
    unsettled = (await countUsage()).map((rows, n) => rows - (before[n] ?? 0));
  });
  afterAll(async () => {
    await database.close();
    rmSync(directory, { recursive: true });
  });

  test('writes no file when it is ended, and then one for each settlement, once', async () => {
    await archive(AbortSignal.abort());
    expect(files()).toEqual([]);
    const waited = await measureNotArchived(database, lab.clock);
    lab.clock.advance(HOUR_MS);
    expect(await measureNotArchived(database, lab.clock)).toBe(waited + 3600);
    const settlements = await count("reward_batch where state = 'settled' and lines > 0");
    expect(await archive()).toBe(settlements);
    expect(files()).toHaveLength(settlements);
    expect(await archive()).toBe(0);
    expect(await measureNotArchived(database, lab.clock)).toBe(0);
  });

  test('each file is checked without the database', async () => {
    let lines = 0;
    let reports = 0;
    for (const file of files()) {
      const report = await verifyArchivedSettlement(join(directory, file), keys);
      expect(report).toMatchObject({ problems: [], kid: key.published.kid });
      lines += report?.settlement?.lines ?? 0;
      reports += report?.reports ?? 0;
    }
    expect(lines).toBe(await count('reward_line'));
    expect(reports).toBe(await count('reward_line, unnest(report_ids)'));
  });

  test('removes nothing before its time, or before a correction has seen all reports', async () => {
    const lines = await count('reward_line');
    await remove();
    await database.query("select remove_archived_lines('reward_line', id, 1000) from reward_batch");
    lab.clock.advance((KEPT_DAYS + 20) * DAY_MS);
    await remove(WINDOW_S);
    expect(await count('reward_batch where moved_at is not null')).toBe(0);
    expect(await count('reward_line')).toBe(lines);
  });

  test('writes a file again that is missing or altered before it is the only one', async () => {
    const before = files();
    const [first = '', second = ''] = before;
    rmSync(join(directory, first));
    await expect(remove()).rejects.toThrow(/^settlement \d+ stays: .* cannot be read/);
    expect(await count('reward_batch where moved_at is not null')).toBe(before.length - 1);
    expect(await archive()).toBe(1);
    copyFileSync(join(directory, second), join(directory, first));
    await expect(remove()).rejects.toThrow('has another settlement');
    expect(await archive()).toBe(1);
    expect(files()).toEqual(before);
    await Promise.all([remove(), remove()]);
    expect(await count('reward_batch where moved_at is not null')).toBe(before.length);
  });

  test('removes lines and settled usage; every proof stays the same', async () => {
    // The lines are still there, for requests that read them, but they are read from the files.
    expect(await count('reward_line')).toBeGreaterThan(0);
    expect(await proveAll()).toEqual(proofs);
    lab.clock.advance(11 * 60_000);
    const [first = ''] = files();
    renameSync(join(directory, first), join(directory, 'away'));
    await expect(remove()).rejects.toThrow('cannot be read');
    expect(await count("reward_line where status <> 'held'")).toBeGreaterThan(0);
    renameSync(join(directory, 'away'), join(directory, first));
    await Promise.all([remove(), remove()]);
    expect(await count("reward_line where status <> 'held'")).toBe(0);
    expect(await countUsage()).toEqual(unsettled);
    expect(await proveAll()).toEqual(proofs);
    const place = { directory, keys };
    const expected = { problems: [], lines: 0, archived: files().length };
    expect(await verifySettlements(database)).toMatchObject({
      ...expected,
      unread: files().length,
    });
    expect(await verifySettlements(database, null, place)).toMatchObject({
      ...expected,
      unread: 0,
    });
    const nowhere = { keys, directory: join(directory, 'nowhere') };
    expect((await verifySettlements(database, null, nowhere)).problems).toHaveLength(
      files().length,
    );
  });

  test('bills are packed once their lines are removed, and stay paid and proven', async () => {
    const place = mkdtempSync(join(tmpdir(), 'edge-account-ledger-'));
    const { clock } = lab;
    const removeBills = () =>
      removeMonths({
        ...{ database, place: pathToFileURL(place).href, keptMonths: 2 },
        namedSince: findFirstLine,
      });
    await signDailyHead(database);
    for await (const _ of archivePeriods(database, place, {}));
    clock.advance(120 * DAY_MS);
    await database.query('update reward_batch set removed_at = null');
    await removeBills();
    expect(await count('entry_pack')).toBe(0);
    await database.query('update reward_batch set removed_at = moved_at');
    await removeBills();
    expect(await count("transfer where idempotency_key ~ '^reward(-day)?:'")).toBe(0);
    const packed = await count('entry_pack, unnest(transfer_ids) where wallet_id < 0');
    expect(packed).toBe(proofs.size);
    expect(await payDays(lab.deps())).toEqual([]);
    expect(await count("transfer where idempotency_key ~ '^reward(-day)?:'")).toBe(0);
    for (const [bill, proof] of proofs) {
      const source = { db: database, key, archive: directory };
      expect(await buildProof(source, proof.bill.user_id, bill)).toEqual(proof);
    }
    expect((await verifyLedger(database)).findings).toEqual([]);
    expect((await verifySettlements(database)).problems).toEqual([]);
    rmSync(place, { recursive: true });
  });

  test('a user gets the proof over HTTP, and 503 while the files are gone', async () => {
    const [bill = 0] = proofs.keys();
    const [proof] = proofs.values();
    const userId = proof?.bill.user_id ?? 0;
    const ask = async (archivedTo: string | undefined) => {
      const app = createTestServer();
      registerRewards(app, {
        ...{ db: database, clock: lab.clock, grace_s: 600, period: 'day', rewardCurrency: 'EDGE' },
        ...{ proofKey: key, archivedTo },
      });
      const answer = await app.inject({
        url: `/me/rewards/${bill}/proof`,
        headers: asPerson(userId, 'account:read'),
      });
      await app.close();
      return answer;
    };
    const answer = await ask(pathToFileURL(directory).href);
    expect(answer).toMatchObject({ statusCode: 200 });
    const outcome = await verifyRewardProof(answer.body, [key.published]);
    expect(Object.values(outcome).every(Boolean)).toBe(true);
    expect(answer.json()).toEqual(proof);
    for (const place of [pathToFileURL(join(directory, 'nowhere')).href, undefined])
      expect(await ask(place)).toMatchObject({ statusCode: 503 });
  });
});
