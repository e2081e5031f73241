/**
 * Lines of at most 100 columns, SQL, comments and strings included: the formatter wraps code only.
 * A line without a space to break at (a link, a key) may be longer.
 *
 * Files of at most 300 lines, tests 500. The limit of the linter is lower, but leaves out lines of
 * SQL and of markup.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../', import.meta.url).pathname;
const MAX_COLUMNS = 100;
const MAX_LINES = 300;
const MAX_LINES_OF_TESTS = 500;
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

/** True for a module with more lines than it may have. */
export function isTooLong(file: string, text: string): boolean {
  if (!/\.tsx?$/.test(file)) return false;
  const isTest = /\.test\.tsx?$|(^|\/)test\//.test(file);
  return text.trimEnd().split('\n').length > (isTest ? MAX_LINES_OF_TESTS : MAX_LINES);
}

function listFiles(): string[] {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  return files.filter((file) => CHECKED.test(file) && !GENERATED.test(file));
}

if (import.meta.main) {
  const files = listFiles();
  if (files.length === 0) throw new Error('no file is covered: the check is ineffective');
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const faults = findLongLines(text).map((line) => `${line}: longer than ${MAX_COLUMNS} columns`);
    if (isTooLong(file, text)) faults.push('1: too many lines');
    for (const fault of faults) {
      console.error(`${file}:${fault}`);
      process.exitCode = 1;
    }
  }
  console.log(`line length: ${files.length} files`);
}
