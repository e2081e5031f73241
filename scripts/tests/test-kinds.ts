/**
 * The needs of each test file, derived from its imports: none (`unit`), a database or another
 * process (`engine`), or a browser (`browser`). The projects of `vitest.config.ts` are built from
 * it, so no list of files is needed.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const PATTERN =
  '{service,sdk,terminal,extension,console,bench,scripts,conformance}/**/*.test.{ts,tsx}';
/** Modules that control a browser; a file that imports one is a browser test. */
const BROWSER = ['playwright-core'];
/** Modules that open a database or start a process. */
const ENGINE = [
  'pg',
  '@electric-sql/pglite',
  'node:child_process',
  'service/test/support/databases.ts',
];
/** The name of a file that `npm test` leaves to `npm run test:full`. */
const FULL_ONLY = /\.full\.test\.tsx?$/;
/** The helper whose value differs between `npm test` and `npm run test:full`. */
const SIZED = /\bsized\(/;
/** Settings and helpers whose engine is chosen by `TEST_ENGINE`. */
const ENGINE_CHOSEN = /\b(RUN_ENGINES|startBrowserFixture)\b/;

const KINDS = ['browser', 'engine', 'unit'] as const;
export type TestKind = (typeof KINDS)[number];

export interface TestFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly kind: TestKind;
  /** True if only `npm run test:full` runs it. */
  readonly isFullOnly: boolean;
  /** True if it has larger sizes in `npm run test:full`. */
  readonly isSized: boolean;
  /** True if `npm run test:embedded` runs it on the embedded database. */
  readonly isEngineChosen: boolean;
}

/** `import type` and `export type` are removed before the program runs. */
const IMPORTS =
  /^(?:import|export)\s+(?!type\b)[^;'"]*?from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm;

/**
 * The imports of a module: relative paths resolved against the root, package names unchanged.
 */
export function findImports(root: string, path: string, text: string): string[] {
  return [...text.matchAll(IMPORTS)].flatMap(([, from, bare, dynamic]) => {
    const name = from ?? bare ?? dynamic ?? '';
    if (!name.startsWith('.')) return [name];
    const file = relative(root, join(root, dirname(path), name));
    return /\.tsx?$/.test(file) && existsSync(join(root, file)) ? [file] : [];
  });
}

function reach(root: string, path: string, known: Map<string, readonly string[]>): Set<string> {
  const reached = new Set([path]);
  for (const name of reached) {
    if (!/\.tsx?$/.test(name)) continue;
    const imports =
      known.get(name) ?? findImports(root, name, readFileSync(join(root, name), 'utf8'));
    known.set(name, imports);
    for (const next of imports) reached.add(next);
  }
  return reached;
}

function kindOf(reached: ReadonlySet<string>): TestKind {
  if (BROWSER.some((name) => reached.has(name))) return 'browser';
  return ENGINE.some((name) => reached.has(name)) ? 'engine' : 'unit';
}

/** All test files of the repository with their kinds, in the order of their paths. */
export function listTestFiles(root: string): TestFile[] {
  const known = new Map<string, readonly string[]>();
  const paths = globSync(PATTERN, { cwd: root, exclude: ['**/node_modules', '**/dist'] }).sort();
  return paths.map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return {
      path,
      kind: kindOf(reach(root, path, known)),
      isFullOnly: FULL_ONLY.test(path),
      isSized: SIZED.test(text),
      isEngineChosen: ENGINE_CHOSEN.test(text),
    };
  });
}

/** The environment of a run: `TEST_RUN`, `TEST_ENGINE`, and whether `TEST_FILES` is `all`. */
interface RunSettings {
  readonly run?: string | undefined;
  readonly engine?: string | undefined;
  readonly files?: string | undefined;
}

/**
 * True if a run has the file. `npm run test:full` has what `npm test` omits,
 * `npm run test:embedded` what does not run on the embedded database otherwise, and
 * `npm run coverage` all. A file whose whole path is an argument is always part of the run.
 */
export function isPartOfRun(
  file: TestFile,
  { run = 'quick', engine = 'server', files }: RunSettings,
  paths: readonly string[],
): boolean {
  if (files === 'all' || paths.includes(file.path)) return true;
  if (engine === 'embedded') return file.isEngineChosen;
  return run === 'quick' ? !file.isFullOnly : file.isFullOnly || file.isSized;
}
