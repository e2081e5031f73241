/**
 * Counts the statements of the service without tests, by folder: `node scripts/count-statements.ts
 * [REVISION]`. Blocks, imports and empty statements do not count, an exported declaration once.
 */
import { execFileSync } from 'node:child_process';
import { parseSync } from '@swc/core';

const ROOT = new URL('../', import.meta.url).pathname;
const COUNTED = /(Statement|Declaration)$/;
const NOT_COUNTED = new Set([
  'BlockStatement',
  'EmptyStatement',
  'ImportDeclaration',
  'ExportDeclaration',
]);

function countNodes(node: unknown): number {
  if (typeof node !== 'object' || node === null) return 0;
  const { type } = node as { type?: unknown };
  const own = typeof type === 'string' && COUNTED.test(type) && !NOT_COUNTED.has(type) ? 1 : 0;
  return Object.values(node).reduce<number>((sum, value) => sum + countNodes(value), own);
}

/** Statements of a TypeScript module. */
export function countStatements(source: string): number {
  return countNodes(parseSync(source, { syntax: 'typescript', target: 'es2024' }).body);
}

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** Statements by file of `service/src`, at a revision of the repository. */
export function countByFile(revision: string): Map<string, number> {
  const files = git('ls-tree', '-r', '--name-only', revision, 'service/src/').split('\n');
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return new Map(
    sources.map((file) => [file, countStatements(git('show', `${revision}:${file}`))] as const),
  );
}

if (import.meta.main) {
  const counted = countByFile(process.argv[2] ?? 'HEAD');
  const folders = Map.groupBy(
    counted,
    ([file]) => file.split('/').slice(2, -1).join('/') || 'root',
  );
  for (const [folder, files] of folders)
    console.log(`${folder} ${files.reduce((sum, [, statements]) => sum + statements, 0)}`);
  const total = [...counted.values()].reduce((sum, statements) => sum + statements, 0);
  console.log(`${counted.size} files, ${total} statements`);
}
