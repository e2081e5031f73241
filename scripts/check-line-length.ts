/**
 * Lines of at most 100 columns, SQL, comments and strings included: the formatter wraps code only.
 * A line without a space to break at (a link, a key) may be longer.
 *
 * Files of at most 250 lines of code, tests 500; functions of at most 60, tests and benchmarks
 * apart. Lines of SQL, markup and closing braces count; blank lines and comments do not, so that an
 * explanation is never dropped for the limit (ADR 0091). The linter has limits of its own, but
 * leaves out lines of SQL and of markup, and closing braces.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

const ROOT = new URL('../', import.meta.url).pathname;
const MAX_COLUMNS = 100;
const MAX_LINES = 250;
const MAX_LINES_OF_TESTS = 500;
const MAX_LINES_OF_FUNCTIONS = 60;
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

const BLANK_OR_COMMENT = /^\s*(\/\/.*|\/\*.*|\*( .*|\/)?)?$/;

/** Lines of code: what is neither blank nor a comment alone. */
function countCode(text: string): number {
  return text.split('\n').filter((line) => !BLANK_OR_COMMENT.test(line)).length;
}

/** True for a module with more lines than it may have. */
export function isTooLong(file: string, text: string): boolean {
  if (!/\.tsx?$/.test(file)) return false;
  const isTest = /\.test\.tsx?$|(^|\/)test\//.test(file);
  return countCode(text) > (isTest ? MAX_LINES_OF_TESTS : MAX_LINES);
}

/** Where the functions and methods of a module begin and end, in bytes from 1. */
function findFunctions(node: unknown): { start: number; end: number }[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, span } = node as { type?: string; span?: { start: number; end: number } };
  const isFunction = /Function(Declaration|Expression)$|Method|^Constructor$/.test(type ?? '');
  const own = isFunction && span ? [span] : [];
  return [...own, ...Object.values(node).flatMap(findFunctions)];
}

/** Numbers of the lines where a function begins that is too long. */
export function findLongFunctions(file: string, text: string): number[] {
  if (!/\.tsx?$/.test(file) || /\.test\.tsx?$|^(bench|conformance)\/|(^|\/)test\//.test(file))
    return [];
  const source = Buffer.from(text);
  const lineAt = (position: number): number =>
    source
      .subarray(0, position - 1)
      .toString()
      .split('\n').length;
  return findFunctions(parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x') }).body)
    .filter(
      ({ start, end }) =>
        countCode(source.subarray(start - 1, end - 1).toString()) > MAX_LINES_OF_FUNCTIONS,
    )
    .map(({ start }) => lineAt(start));
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
    for (const line of findLongFunctions(file, text)) faults.push(`${line}: function is too long`);
    for (const fault of faults) {
      console.error(`${file}:${fault}`);
      process.exitCode = 1;
    }
  }
  console.log(`line length: ${files.length} files`);
}
