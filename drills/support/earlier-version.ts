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

/** The commit before the one that added the newest migration; undefined without a history. */
export function findEarlierVersion(): string | undefined {
  const newest = readdirSync(join(ROOT, MIGRATIONS)).sort().at(-1) ?? '';
  try {
    const log = ['log', '-1', '--diff-filter=A', '--format=%H^', '--', `${MIGRATIONS}/${newest}`];
    return git(['rev-parse', '--verify', git(log)]);
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
