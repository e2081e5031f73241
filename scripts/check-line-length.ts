/**
 * Lines of at most 100 columns, SQL, comments and strings included: the formatter wraps code only.
 * A line without a space to break at (a link, a key) may be longer.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../', import.meta.url).pathname;
const MAX_COLUMNS = 100;
const CHECKED = /\.(ts|tsx|sql|css|html)$/;
const GENERATED = /(^|\/)generated\//;

/** Numbers of the lines that are too long. */
export function findLongLines(text: string): number[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      line.length > MAX_COLUMNS && line.trimEnd().lastIndexOf(' ') > line.search(/\S/)
        ? [i + 1]
        : [],
    );
}

function listFiles(): string[] {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  return files.filter((file) => CHECKED.test(file) && !GENERATED.test(file));
}

if (import.meta.main) {
  const files = listFiles();
  if (files.length === 0) throw new Error('no file is covered: the check is ineffective');
  for (const file of files)
    for (const line of findLongLines(readFileSync(join(ROOT, file), 'utf8'))) {
      console.error(`${file}:${line}: longer than ${MAX_COLUMNS} columns`);
      process.exitCode = 1;
    }
  console.log(`line length: ${files.length} files`);
}
