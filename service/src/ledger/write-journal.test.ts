import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, openTestDatabase } from '../../test/support/databases.ts';
import { insertUser } from '../../test/support/test-users.ts';
import type { Database } from '../db/index.ts';
import { postTransfers, readHouseBalances, writeJournal } from './index.ts';

function hasLedger(): boolean {
  try {
    execFileSync('ledger', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const isThere = hasLedger();
if (!isThere)
  console.warn(
    'write-journal.test.ts: the program "ledger" is not installed (Debian: apt install ledger), so nothing but us balances the journal',
  );

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

  const balance = (text: string, ...args: string[]): string => {
    const folder = mkdtempSync(join(tmpdir(), 'edge-account-journal-'));
    try {
      writeFileSync(join(folder, 'journal'), text);
      return execFileSync(
        'ledger',
        ['--init-file', '/dev/null', '-f', join(folder, 'journal'), ...args],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      ).toString();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  test('holds every transfer and every stored balance', () => {
    expect(journal.match(/ adjustment$/gm)?.length).toBe(2100);
    expect(journal).toMatch(/Users:\d+:bonus {2}0 EDGE = \d+(\.\d+)? EDGE/);
  });

  test.skipIf(!isThere)(
    'the program ledger balances it to zero and agrees with every stored balance',
    () => {
      expect(balance(journal, 'balance', '--flat').trimEnd().split('\n').at(-1)?.trim()).toBe('0');
    },
  );

  test.skipIf(!isThere)(
    'the program ledger refuses it when a stored balance or an amount is another one',
    () => {
      expect(() =>
        balance(
          journal.replace(/= (\d+)/, (_, digits: string) => `= ${BigInt(digits) + 1n}`),
          'balance',
        ),
      ).toThrow(/assertion/i);
      expect(() =>
        balance(
          journal.replace(/ {2}(\d+)/, (_, digits: string) => `  ${BigInt(digits) + 1n}`),
          'balance',
        ),
      ).toThrow(/balance/i);
    },
  );

  test('the house and the people together are zero in each currency', async () => {
    const sums = new Map<string, bigint>();
    for (const { currency, balance: amount } of await readHouseBalances(database))
      sums.set(currency, (sums.get(currency) ?? 0n) + amount);
    expect([...sums.values()]).toEqual([0n, 0n, 0n]);
  });
});
