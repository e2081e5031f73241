import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/databases.ts';
import { createDayNetwork } from '../../../test/support/day-network.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import type { Database } from '../../db/index.ts';
import { type Cells, createParquetFile, openParquet } from '../../lib/parquet.ts';
import { createMasterKey } from '../../master-key.ts';
import { createProofKey, settleDue } from '../index.ts';
import { COLUMNS } from './archive-columns.ts';
import { createLabel, LABEL, parseLabel } from './archive-label.ts';
import { archiveSettlements } from './archive-settlements.ts';
import { type ArchivedSettlementReport, verifyArchivedSettlement } from './verify-archive.ts';

type Row = Record<string, unknown>;

const directory = mkdtempSync(join(tmpdir(), 'edge-account-altered-'));
const key = createProofKey(testMasterKey);
const keys = [{ ...key.published }];
let database: Database;
/** Of a settlement with traffic and penalties. */
let original: { rows: Row[]; label: string };

beforeAll(async () => {
  database = await openTestDatabase('embedded');
  const lab = await createDayNetwork(database, 1);
  lab.endDay(await lab.useDay([1]));
  await settleDue(lab.deps());
  await archiveSettlements({ db: database, clock: lab.clock, key, directory });
  const [name = ''] = readdirSync(directory);
  const file = await openParquet(join(directory, name));
  const rows = await file.read({ start: 0, end: file.rows });
  original = { rows, label: file.label(LABEL) ?? '' };
});
afterAll(async () => {
  await database.close();
  rmSync(directory, { recursive: true });
});

const copyOf = (rows: readonly Row[]): Row[] => rows.map((row) => ({ ...row }));

async function write(rows: readonly Row[], label: string): Promise<string> {
  const path = join(directory, 'altered.parquet');
  const file = createParquetFile(path, COLUMNS);
  for (const row of rows)
    await file.add(
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          value instanceof Uint8Array ? Buffer.from(value) : value,
        ]),
      ) as Cells,
    );
  await file.finish({ key: LABEL, value: label });
  return path;
}

async function check(
  alter: (rows: Row[]) => void,
  label = original.label,
): Promise<ArchivedSettlementReport | undefined> {
  const rows = copyOf(original.rows);
  alter(rows);
  return verifyArchivedSettlement(await write(rows, label), keys);
}

const lineOf = (rows: readonly Row[], rewardType: string): Row =>
  rows.find(({ reward_type }) => reward_type === rewardType) ?? {};
const reportOf = (rows: readonly Row[]): Row => rows.find(({ kind }) => kind === 'report') ?? {};

test('the file that was written is in order', async () => {
  expect(await check(() => {})).toMatchObject({ problems: [], kid: key.published.kid });
});

test.each<[what: string, alter: (rows: Row[]) => void, problem: RegExp]>([
  ['an amount', (rows) => (lineOf(rows, 'UPTIME').amount = '1'), /another root/],
  ['an owner', (rows) => (lineOf(rows, 'TRAFFIC').user = 99n), /another root/],
  ['a bill', (rows) => (lineOf(rows, 'BONUS').bill = 123_456n), /another root/],
  ['a device id', (rows) => (lineOf(rows, 'UPTIME').device = 77n), /other rows/],
  ['an order', (rows) => rows.splice(0, 2, ...rows.slice(0, 2).reverse()), /other reports|root/],
  ['a line less', (rows) => rows.splice(0, 1), /other reports|root/],
  ['bytes of a report', (rows) => (reportOf(rows).bytes_up = '5'), /another root/],
  ['the relay of a report', (rows) => (reportOf(rows).client_id = 'other'), /another root/],
  ['the refusal of a report', (rows) => (reportOf(rows).refusal = 'other'), /other rows/],
  ['a report less', (rows) => rows.pop(), /other reports/],
  ['a report more', (rows) => rows.push({ ...rows.at(-1) }), /rows of no line/],
  ['a place of reports', (rows) => (lineOf(rows, 'TRAFFIC').reports_at = 0n), /other reports/],
  ['a column of another type', (rows) => (lineOf(rows, 'UPTIME').client_id = 'x'), /no line/],
])('finds %s that was altered', async (_what, alter, problem) => {
  const report = await check(alter);
  expect(report?.problems.join()).toMatch(problem);
});

test('finds a label that was altered, or signed by another key', async () => {
  const label = parseLabel(original.label);
  const body = JSON.parse(label?.body ?? '');
  const altered = JSON.stringify({ ...label, body: JSON.stringify({ ...body, reports: 0 }) });
  const other = createLabel(createProofKey(createMasterKey(Buffer.alloc(32, 9))), body);
  for (const forged of [altered, other, '{}', 'none'])
    expect(await check(() => {}, forged)).toMatchObject({ settlement: null, kid: null });
});

test('does not read a file that is cut off, or of something else', async () => {
  const path = await write(original.rows, original.label);
  truncateSync(path, 1000);
  await expect(verifyArchivedSettlement(path, keys)).rejects.toThrow();
  const file = createParquetFile(path, COLUMNS);
  await file.finish({ key: 'other', value: '{}' });
  expect(await verifyArchivedSettlement(path, keys)).toBeUndefined();
});
