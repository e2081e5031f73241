/** Exit codes of commands whose output is not read, or whose input does not exist. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openEmbedded, openServer } from '../src/db/index.ts';
import { installLedger, postTransfers } from '../src/ledger/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createServerDatabase, RUN_ENGINES } from './support/databases.ts';
import { runCommand } from './support/service-process.ts';
import { testMasterKey } from './support/test-config.ts';

describe.each(RUN_ENGINES)('commands on %s', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-endings-'));
  let env: Record<string, string>;

  /** Commands run as processes: only one may hold the embedded database. */
  async function inDatabase(work: (database: Database) => Promise<unknown>): Promise<void> {
    const { DATABASE_URL: url } = env;
    const database =
      url === undefined
        ? await openEmbedded({ directory: join(folder, 'database') })
        : await openServer({ url, poolSize: 2, onError: () => {} });
    try {
      await work(database);
    } finally {
      await database.close();
    }
  }

  beforeAll(async () => {
    env = {
      DATA_DIR: folder,
      MASTER_KEY: '07'.repeat(32),
      ...(engine === 'server' && { DATABASE_URL: await createServerDatabase({ isOwner: true }) }),
    };
    expect(await runCommand(['migrate'], env)).toMatchObject({ code: 0 });
    await inDatabase((database) => {
      installLedger(database, { clock: systemClock, masterKey: testMasterKey });
      return postTransfers(database, [
        {
          idempotencyKey: 'one',
          debit: { house: 'reward_pool' },
          credit: { house: 'adjustment' },
          currency: 'USDT',
          amount: 1n,
          businessId: 'adjustment',
          eventAt: new Date(),
        },
      ]);
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('a journal whose reader closes exits without an error', { timeout: 120_000 }, async () => {
    expect((await runCommand(['ledger', 'journal'], env)).stdout).toContain('stored balances');
    expect(await runCommand(['ledger', 'journal'], env, { isRead: false })).toEqual({
      code: 141,
      stdout: '',
      stderr: '',
    });
  });

  test('a verify report whose reader closes exits without an error', {
    timeout: 120_000,
  }, async () => {
    await inDatabase((database) => database.query('update account set seq = seq + 1'));
    expect(await runCommand(['verify'], env)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('does not agree with its entries'),
      stderr: '',
    });
    expect(await runCommand(['verify'], env, { isRead: false })).toEqual({
      code: 141,
      stdout: '',
      stderr: '',
    });
    await inDatabase((database) => database.query('update account set seq = seq - 1'));
  });

  test('verify prints its findings, then the database error, and exits as failed to run', {
    timeout: 120_000,
  }, async () => {
    await inDatabase((database) => database.query('drop table reward_batch cascade'));
    const result = await runCommand(['verify'], env);
    expect(result).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^edge-account: the database failed: .*reward_batch.*\(SQLSTATE 42P01\)\n$/,
      ),
    });
    expect(result.stdout).toMatch(
      /1 transfers, 1 seals, \d heads, from the first posting until \S+: everything agrees\n$/,
    );
  });
});
