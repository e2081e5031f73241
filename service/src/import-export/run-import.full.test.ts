/** Imports of small files: what is kept, what is rejected, and what a second run does. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, type Engine, openTestDatabase } from '../../test/support/databases.ts';
import { createImportFolder, type ImportFolder } from '../../test/support/import-folder.ts';
import {
  AT,
  BALANCES,
  BILLS,
  bill,
  findProblems,
  MOVED,
  PEOPLE,
  readBalances,
  readState,
  writeSource,
} from '../../test/support/import-source.ts';
import type { Database } from '../db/index.ts';

describe.each(ENGINES)('imports on %s', (engine: Engine) => {
  let database: Database;
  let folder: ImportFolder;
  beforeEach(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    folder = createImportFolder();
  });
  afterEach(async () => {
    folder.remove();
    await database.close();
  });

  test('imports everything once, however often it runs, and certifies it', async () => {
    writeSource(folder);
    const { rejected, certificate } = await folder.run(database);
    expect([...rejected]).toEqual([]);
    expect(await readBalances(database)).toEqual(MOVED);
    expect(certificate?.content).toMatchObject({
      agrees: true,
      passwords: { md5: 1, hash: 0, reset: 2 },
    });
    expect(certificate?.content.totals).toContainEqual({
      file: 'balances',
      wallet: 'asset',
      currency: 'USDT',
      source: '16.5',
      here: '16.5',
      rejected: '0',
    });
    const { rows: users } = await database.query(
      `select id, email, nickname, referral_code, status, created_at = $1::timestamptz as is_exact
       from app_user order by id`,
      [AT],
    );
    expect(users).toMatchObject([
      { id: 5, email: 'root@example.test', referral_code: 'ROOT5', status: 'active' },
      { id: 7, nickname: 'Kid, the "second"', is_exact: true },
      { id: 12, nickname: '=SUM(A1)' },
      { id: 13, email: 'closed-13@account.invalid', status: 'closed' },
    ]);
    expect(await findProblems(database)).toEqual([]);
    const before = await readState(database);
    const again = await folder.run(database);
    expect(again.certificate?.content).toMatchObject({ agrees: true });
    expect(await readState(database)).toEqual(before);
  });

  test('new users get ids from 2^40 on, beside referrers of the source', async () => {
    writeSource(folder);
    await folder.run(database);
    const { rows } = await database.query(
      `insert into app_user (email, email_key, nickname, referral_code, referrer_id, created_at)
       values ('new', 'new', 'new', 'NEW', 12, now()) returning id`,
    );
    expect(rows).toEqual([{ id: 2 ** 40 }]);
  });

  test('a history ends with the balance', async () => {
    writeSource(folder);
    await folder.run(database);
    const { rows } = await database.query<{ balance_after: string; code: string }>(
      `select e.balance_after, t.code from entry e join transaction_type t on t.id = e.business_id
       where e.wallet_id = 5 * 32 + 1 order by e.position`,
    );
    expect(rows.map(({ code, balance_after }) => `${code} ${balance_after}`)).toEqual([
      'opening_balance -250000',
      'deposit 19750000',
      'withdrawal 12500000',
    ]);
  });

  test('a dry run reports each problem by line, field and reason, and writes nothing', async () => {
    writeSource(folder);
    folder.write(
      'people.csv',
      `${PEOPLE}20,ROOT@EXAMPLE.test,Twin,,,,,${AT},
21,a@example.test,Loop,,,22,,${AT},
22,b@example.test,Loop,,,21,,${AT},
23,below@example.test,Below,,,22,,${AT},
${2 ** 40},c@example.test,Big,,,,,${AT},
24,d@example.test,"nul\0",,,,,${AT},
25,e@example.test,E,$2b$04$abc,,,,${AT},
26,f@example.test,F,,,,,2999-01-01T00:00:00Z,
27,not an address,G,xyz,,,,yesterday,gone
28,g@example.test,"an unclosed quote
`,
    );
    folder.write(
      'balances.csv',
      `${BALANCES}5,asset,EDGE,${'9'.repeat(60)}
5,asset,DOGE,1
5,treasury,USDT,1
5,asset,USDT,13
99,asset,USDT,1
12,asset,EDGE,1.0000000000000000001
12,bonus,EDGE,1e3
12
`,
    );
    const wif = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
    folder.write(
      'bills.jsonl',
      `${BILLS}${JSON.stringify({ ...JSON.parse(bill(9, 1, '1')), remark: `my key: ${wif}` })}
{"id":10}
[]
{"id":
`,
    );
    const before = await readState(database);
    const { certificate } = await folder.run(database, { isDryRun: true });
    expect(certificate).toBeUndefined();
    expect(await readState(database)).toEqual(before);
    expect(folder.problems()).toEqual([
      'people 6 email duplicate',
      'people 7 referrer not_before',
      'people 8 referrer unknown',
      'people 9 referrer unknown',
      'people 10 id too_large',
      'people 11 nickname not_storable',
      'people 12 password_input required',
      'people 13 created_at in_future',
      'people 14 created_at format',
      'people 14 status enum',
      'people 15 row unclosed_quote',
      'balances 7 amount too_large',
      'balances 8 currency unknown_currency',
      'balances 9 wallet unknown_wallet',
      'balances 10 user_id duplicate',
      'balances 11 user_id unknown',
      'balances 12 amount too_many_decimals',
      'balances 13 amount pattern',
      'balances 14 row columns',
      'bills 3 remark private_key',
      'bills 4 amount required',
      'bills 4 amount_direction required',
      'bills 4 business_id required',
      'bills 4 currency required',
      'bills 4 event_at required',
      'bills 4 user_id required',
      'bills 4 wallet required',
      'bills 5 row malformed',
      'bills 6 row malformed',
    ]);
    expect(JSON.stringify(folder.rejects())).not.toContain(wif);
  });

  test('valid rows beside invalid ones are imported, and the rest after a correction', async () => {
    writeSource(folder);
    folder.write('people.csv', PEOPLE.replace('kid@example.test', 'no address'));
    const first = await folder.run(database);
    expect(await readBalances(database)).toEqual(MOVED.slice(0, 2));
    // Users below the rejected one had -3 and 7; the certificate does not hide it.
    expect(first.certificate?.content.totals.filter(({ rejected }) => rejected !== '0')).toEqual([
      {
        ...{ file: 'balances', wallet: 'asset', currency: 'USDT' },
        ...{ source: '12.5', here: '12.5', rejected: '4' },
      },
      { file: 'purchases', wallet: '', currency: 'EDGE', source: '0', here: '0', rejected: '75' },
    ]);
    expect(folder.problems()).toContain('people 4 referrer unknown');
    expect(await findProblems(database)).toEqual([]);
    writeSource(folder);
    const { certificate } = await folder.run(database);
    expect(certificate?.content.agrees).toBe(true);
    expect(await readBalances(database)).toEqual(MOVED);
    expect(await findProblems(database)).toEqual([]);
  });
});
