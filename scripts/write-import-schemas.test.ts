import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FILE_NAMES } from '../service/src/import-export/schemas.ts';
import { FOLDER, renderRowSchema } from './write-import-schemas.ts';

test.each(FILE_NAMES)('the schema of %s is current (npm run docs)', (name) => {
  expect(readFileSync(new URL(`${name}.schema.json`, FOLDER), 'utf8')).toBe(renderRowSchema(name));
});
