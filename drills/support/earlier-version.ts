/** The version before the newest migration, from the history of the repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;
const MIGRATIONS = 'service/migrations';

const git = (args: readonly string[]): string =>
  execFileSync('git', ['-C', ROOT, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  })
    .toString()
    .trim();

const isMigration = (name: string): boolean => /^\d{4}_/.test(name);

const listMigrations = (commit: string): string[] =>
  git(['ls-tree', '--name-only', `${commit}:${MIGRATIONS}`])
    .split('\n')
    .filter(isMigration);

/**
 * The newest commit whose migrations are the first ones of today's, but not all of them; undefined
 * without a history. Commits between have others where a branch was numbered again.
 */
export function findEarlierVersion(): string | undefined {
  const today = readdirSync(join(ROOT, MIGRATIONS)).filter(isMigration).sort();
  try {
    const commits = git(['log', '--format=%H^', '--', MIGRATIONS]).split('\n');
    const found = commits.find((commit) => {
      const names = listMigrations(commit);
      return names.length < today.length && names.every((name, i) => name === today[i]);
    });
    return found === undefined ? undefined : git(['rev-parse', '--verify', found]);
  } catch {
    return undefined;
  }
}

export interface EarlierVersion {
  /** The program of its service. */
  readonly main: string;
  remove(): void;
}

/** Unpacks a version; it uses the packages that are installed here. */
export function unpackVersion(commit: string): EarlierVersion {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-version-'));
  const archive = join(folder, 'version.tar');
  const code = join(folder, 'code');
  mkdirSync(code);
  git(['archive', '--output', archive, commit, 'service', 'sdk', 'package.json', 'tsconfig.json']);
  execFileSync('tar', ['-xf', archive, '-C', code]);
  for (const packages of ['node_modules', 'service/node_modules'])
    if (existsSync(join(ROOT, packages))) symlinkSync(join(ROOT, packages), join(code, packages));
  return {
    main: join(code, 'service/src/main.ts'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
