/** Writes `docs/guides/import/*.schema.json`: the rows of the files that can be imported. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { FILE_NAMES, type FileName, ROW_SCHEMAS } from '../service/src/import-export/schemas.ts';

export const FOLDER = new URL('../docs/guides/import/', import.meta.url);

const LINE_MAX = 100;

/** Lists that fit stand on one line, as the formatter writes them. */
function foldLists(text: string): string {
  return text.replace(
    /^(.*)\[\n([^[\]{}]*)\](,?)$/gm,
    (whole, before: string, list: string, end) => {
      const words = JSON.parse(`[${list}]`) as string[];
      const line = `${before}[${words.map((word) => JSON.stringify(word)).join(', ')}]${end}`;
      return line.length <= LINE_MAX ? line : whole;
    },
  );
}

/** The schema of a file as JSON. */
export function renderRowSchema(name: FileName): string {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...ROW_SCHEMAS[name] };
  return `${foldLists(JSON.stringify(schema, null, 2))}\n`;
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const name of FILE_NAMES)
    writeFileSync(new URL(`${name}.schema.json`, FOLDER), renderRowSchema(name));
}
