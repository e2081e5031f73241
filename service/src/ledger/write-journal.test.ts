import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import { postTransfers, readHouseBalances, writeJournal } from './index.ts';

/** Whether a program is installed; prints which test is skipped when it is not. */
function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn(
      `write-journal.test.ts: its tests are skipped, because ${program} is not installed`,
    );
    return false;
  }
}

const hasLedger = isInstalled('ledger');
const hasHledger = isInstalled('hledger');

describe.each(ENGINES)('journal on %s', (engine) => {
  let database: Database;
  let journal = '';
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    const users = [await insertUser(database), await insertUser(database)];
    await database.query("insert into currency (code, scale) values ('X9Y', 8)");
    for (let batch = 0; batch < 3; batch++) {
      await postTransfers(
        database,
        Array.from({ length: 700 }, (_, i) => ({
          idempotencyKey: `j${batch}-${i}`,
          debit:
            i % 7 === 0
              ? ({ userId: users[0] ?? 0, wallet: 'asset' } as const)
              : ({ house: 'reward_pool' } as const),
          credit: { userId: users[i % 2] ?? 0, wallet: 'bonus' } as const,
          currency: ['EDGE', 'USDT', 'X9Y'][i % 3] ?? '',
          amount: 10n ** 30n + BigInt(i),
          businessId: 'adjustment',
          eventAt: new Date(),
          mayOverdraw: true,
        })),
      );
    }
    for await (const piece of writeJournal(database)) journal += piece;
  });
  afterAll(() => database.close());

  /** The report of a program about a journal. @throws when it refuses the journal */
  const run = (text: string, program: string, ...args: string[]): string => {
    const folder = mkdtempSync(join(tmpdir(), 'edge-account-journal-'));
    const file = join(folder, 'journal');
    try {
      writeFileSync(file, text);
      return execFileSync(program, [...args, '-f', file], {
        stdio: ['ignore', 'pipe', 'pipe'],
      }).toString();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  const balance = (text: string, ...args: string[]): string =>
    run(text, 'ledger', '--init-file', '/dev/null', 'balance', ...args);

  test('holds every transfer and every stored balance', () => {
    expect(journal.match(/ adjustment$/gm)?.length).toBe(2100);
    expect(journal).toMatch(/Users:\d+:bonus {2}0 EDGE = \d+(\.\d+)? EDGE/);
  });

  test.skipIf(!hasLedger)(
    'the program ledger balances it to zero and agrees with every stored balance',
    () => {
      expect(balance(journal, '--flat').trimEnd().split('\n').at(-1)?.trim()).toBe('0');
    },
  );

  test.skipIf(!hasLedger)(
    'the program ledger refuses it when a stored balance or an amount is another one',
    () => {
      expect(() =>
        balance(journal.replace(/= (\d+)/, (_, digits: string) => `= ${BigInt(digits) + 1n}`)),
      ).toThrow(/assertion/i);
      expect(() =>
        balance(journal.replace(/ {2}(\d+)/, (_, digits: string) => `  ${BigInt(digits) + 1n}`)),
      ).toThrow(/balance/i);
    },
  );

  test.skipIf(!hasHledger)('the program hledger accepts it in strict mode', () => {
    const check = (text: string) => run(text, 'hledger', 'check', '--strict');
    expect(check(journal)).toBe('');
    expect(() => check(journal.replace(/^account .*\n/m, ''))).toThrow(/account/);
    expect(() => check(journal.replace(/^commodity .*\n/m, ''))).toThrow(/commodity/);
  });

  test('system and user balances sum to zero in each currency', async () => {
    const sums = new Map<string, bigint>();
    for (const { currency, balance: amount } of await readHouseBalances(database))
      sums.set(currency, (sums.get(currency) ?? 0n) + amount);
    expect([...sums.values()]).toEqual([0n, 0n, 0n]);
  });
});
