import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createImportFolder } from '../../test/support/import-folder.ts';
import { readRows } from './read-rows.ts';

/** More than a stream reads ahead. */
const BAD_ROWS = 100_000;

test('rows that cannot be read are reported before the file ends', async () => {
  const folder = createImportFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'people.csv');
  folder.write('people.csv', `id,email\n${'1,two,three\n'.repeat(BAD_ROWS)}`);
  const rows = readRows(path, ['id', 'email']);
  const first = await rows.next();
  expect(first.value).toMatchObject({ line: 2, problem: { code: 'columns' } });
  // Read only by a reader that has not read the whole file yet.
  appendFileSync(path, '7,seven@example.test\n');
  let last = first.value;
  let count = 1;
  for await (const row of rows) {
    last = row;
    count++;
  }
  expect(count).toBe(BAD_ROWS + 1);
  expect(last).toEqual({ line: BAD_ROWS + 2, row: { id: '7', email: 'seven@example.test' } });
});
