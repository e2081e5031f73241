import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { createImportFolder, type ImportFolder } from '../../test/support/import-folder.ts';
import { ROW_LENGTH_MAX } from './read-lines.ts';
import { type ReadRow, readRows } from './read-rows.ts';

let folder: ImportFolder;
beforeEach(() => {
  folder = createImportFolder();
  return () => folder.remove();
});

async function read(text: string | Buffer): Promise<ReadRow[]> {
  folder.write('people.csv', text);
  const rows: ReadRow[] = [];
  for await (const row of readRows(join(folder.path, 'people.csv'), ['id', 'nickname']))
    rows.push(row);
  return rows;
}
const codes = (rows: readonly ReadRow[]): string[] =>
  rows.map(({ line, row, problem }) => `${line} ${problem ? problem.code : row?.id}`);

const HEADER = 'id,nickname\n';
const LONG = 'x'.repeat(3 * ROW_LENGTH_MAX);

test.each([
  ['a long line', LONG],
  ['a long text in quotes, with line ends and quotes', `"${`${LONG}\n""`.repeat(3)}"`],
  ['a row that is a byte too long', 'x'.repeat(ROW_LENGTH_MAX - 2)],
])('%s is one rejected row, and no row beside it is lost', async (_, text) => {
  const lines = text.split('\n').length;
  const rows = Array.from({ length: 3000 }, (_, i) => `${i},name ${i}\n`);
  const found = await read(`${HEADER}a,A\nb,${text}\n${rows.join('')}`);
  expect(codes(found)).toEqual([
    '2 a',
    '3 too_long',
    ...rows.map((_, i) => `${3 + lines + i} ${i}`),
  ]);
});

test('a row of the greatest length is read, and a long one at the end is not', async () => {
  const longest = `b,${'x'.repeat(ROW_LENGTH_MAX - 3)}\n`;
  expect(codes(await read(`${HEADER}${longest}c,${LONG}`))).toEqual(['2 b', '3 too_long']);
});

test('a quote that is not closed is reported where it begins', async () => {
  const rows = '1,"one"\n2,"two\n3,three\n'.concat(LONG);
  expect(codes(await read(HEADER + rows))).toEqual(['2 1', '3 unclosed_quote']);
  await expect(read(`id,"nick\n1,one\n`)).rejects.toThrow('the header has a quote');
});

test.each(['\n', '\r\n', '\r'])('lines that end with %j, after a byte order mark', async (end) => {
  const text = ['\ufeff"id",nickname', '1,"a""b"', '', '2,b', '3,c'].join(end);
  expect(codes(await read(text))).toEqual(['2 1', '4 2', '5 3']);
});

test('a file in UTF-16 is refused', async () => {
  await expect(read(Buffer.from(`\ufeff${HEADER}`, 'utf16le'))).rejects.toThrow('must be UTF-8');
});

test('rows are those of the parser, wherever records are cut', async () => {
  const token = fc.constantFrom('"', '"', ',', '\n', '\r\n', 'é', 'x', `${'y'.repeat(9000)}`);
  await fc.assert(
    fc.asyncProperty(fc.array(token, { maxLength: 40 }), async (tokens) => {
      const text = `${HEADER}${tokens.join('')}\n`;
      const whole: { id: string }[] = parse(text, {
        columns: true,
        record_delimiter: ['\r\n', '\n'],
        skip_empty_lines: true,
        skip_records_with_error: true,
      });
      const rows = (await read(text)).filter(({ row }) => row !== undefined);
      fc.pre(whole.every((row) => JSON.stringify(row).length < ROW_LENGTH_MAX));
      expect(rows.map(({ row }) => row?.id ?? '')).toEqual(whole.map(({ id }) => id));
    }),
    { numRuns: 300, seed: 22 },
  );
});
