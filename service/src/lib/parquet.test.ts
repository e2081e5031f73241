import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createParquetFile, integerColumn, openParquet, textColumn } from './parquet.ts';

const directory = mkdtempSync(join(tmpdir(), 'edge-account-parquet-'));
const path = join(directory, 'file.parquet');
afterAll(() => rmSync(directory, { recursive: true }));

test('rows are read as they were written, by ranges and by a value', async () => {
  const file = createParquetFile(path, [integerColumn('n'), textColumn('name')], ['n']);
  for (let n = 0n; n < 4500n; n++) await file.add({ n, name: n % 2n === 0n ? `name ${n}` : null });
  await file.finish({ key: 'label', value: 'some text' });
  const read = await openParquet(path);
  expect(read).toMatchObject({ rows: 4500 });
  expect([read.label('label'), read.label('other')]).toEqual(['some text', undefined]);
  expect(await read.read({ start: 1999, end: 2001 })).toEqual([
    { n: 1999n, name: null },
    { n: 2000n, name: 'name 2000' },
  ]);
  expect(await read.read({ start: 0, end: 9000, filter: { n: { $eq: 4002n } } })).toEqual([
    { n: 4002n, name: 'name 4002' },
  ]);
});

test('a footer that no file of ours has is not read', async () => {
  for (const [bytes, length] of [
    [100, 0x7fffffff],
    // It takes no room on the disk.
    [80 * 1024 * 1024, 70 * 1024 * 1024],
  ] as const) {
    writeFileSync(path, '');
    truncateSync(path, bytes);
    const end = Buffer.alloc(8, 'PAR1');
    end.writeUInt32LE(length);
    appendFileSync(path, end);
    await expect(openParquet(path)).rejects.toThrow('its footer is too long');
  }
});
