/** Files that changed since they were imported. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { createImportFolder, type ImportFolder } from '../../test/support/import-folder.ts';
import {
  BALANCES,
  BILLS,
  bill,
  DEVICES,
  findProblems,
  PEOPLE,
  PURCHASES,
  readBalances,
  writeSource,
} from '../../test/support/import-source.ts';
import type { Database } from '../db/index.ts';
import { verifyImports } from './verify-imports.ts';

describe('changed files', () => {
  let database: Database;
  let folder: ImportFolder;
  beforeAll(async () => {
    database = await openTestDatabase('server', { isOwner: true });
    folder = createImportFolder();
    writeSource(folder);
    await folder.run(database);
    folder.write(
      'people.csv',
      PEOPLE.replace('Root,', 'Chief,')
        .replace('7,"kid', '7,"KIDDO')
        .replace(',7,,', ',5,,')
        .replace('13,,', '14,new@example.test,'),
    );
    folder.write('balances.csv', BALANCES.replace('12.5', '20').replace(',7\n', ',8\n'));
    folder.write('bills.jsonl', `${BILLS}${bill(3, 1, '1.5')}\n${bill(1, 1, '21')}\n`);
    folder.write('devices.csv', DEVICES.replace(',5,', ',7,'));
    folder.write('purchases.csv', PURCHASES.replace('100', '200'));
  });
  afterAll(async () => {
    folder.remove();
    await database.close();
  });

  test('are rejected without --since, but for new rows', async () => {
    await folder.run(database);
    expect(folder.problems()).toEqual([
      'people 2 row changed',
      'people 3 row changed',
      'people 4 referrer changed',
      'people 4 row changed',
      'balances 2 row changed',
      'balances 5 row changed',
      'bills 4 id duplicate',
      'bills 4 row changed',
      'devices 2 node_id taken',
      'devices 2 user_id changed',
      'purchases 2 row changed',
    ]);
    expect(await findProblems(database)).toEqual([]);
  });

  test('--since applies what can change, and posts the difference of a balance', async () => {
    const { certificate } = await folder.run(database, { since: new Date(0) });
    expect(folder.problems()).toEqual([
      'people 4 referrer changed',
      'bills 4 id duplicate',
      'bills 4 row changed',
      'devices 2 node_id taken',
      'devices 2 user_id changed',
      'purchases 2 row changed',
    ]);
    expect(certificate?.content.agrees).toBe(true);
    expect(await readBalances(database)).toEqual([
      '5 asset USDT 20000000',
      '5 bonus EDGE 1000000000000000000000001',
      '12 asset USDT -3000000',
      '13 asset USDT 8000000',
    ]);
    const { rows } = await database.query(
      'select nickname, email from app_user where id in (5, 7)',
    );
    expect(rows).toEqual([
      { nickname: 'Chief', email: 'root@example.test' },
      { nickname: 'Kid, the "second"', email: 'KIDDO@example.test' },
    ]);
    expect(await findProblems(database)).toEqual([]);
  });

  test('--since skips rows that the source changed before', async () => {
    folder.write(
      'balances.csv',
      `user_id,wallet,currency,amount,updated_at
5,asset,USDT,1,2025-01-01T00:00:00Z
13,asset,USDT,9,2025-03-01T00:00:00Z
`,
    );
    const { counts } = await folder.run(database, { since: new Date('2025-02-01T00:00:00Z') });
    expect(counts.find(({ name }) => name === 'balances')).toMatchObject({ rows: 2, skipped: 1 });
    const balances = await readBalances(database);
    expect(balances).toContain('5 asset USDT 20000000');
    expect(balances).toContain('13 asset USDT 9000000');
  });
});

test('a certificate that was changed, or is of another installation, does not pass', async () => {
  const database = await openTestDatabase('server', { isOwner: true });
  const folder = createImportFolder();
  try {
    writeSource(folder);
    const { certificate } = await folder.run(database);
    if (!certificate) throw new Error('no certificate');
    const forged = { ...certificate, body: certificate.body.replace('16.5', '17.5') };
    expect((await verifyImports(database, [certificate])).problems).toEqual([]);
    expect((await verifyImports(database, [forged])).problems).toEqual([
      'certificate file 1: the signature is not of this ledger',
    ]);
    await database.query(`update imported_row set amount = amount + 1 where key = '5/bonus/EDGE'`);
    expect((await verifyImports(database)).problems).toEqual([
      expect.stringContaining('row balances 5/bonus/EDGE'),
    ]);
  } finally {
    folder.remove();
    await database.close();
  }
});
