/**
 * Completes package-lock.json: where a registry lacks a platform package, npm writes a lock without
 * it and newer versions refuse `npm ci`. Every optional dependency named by a package gets an entry
 * (without integrity, which is unknown here), so that any platform installs from the same lock.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockEntry {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

interface Lock {
  packages: Record<string, LockEntry>;
}

const SYSTEMS = [
  'linux',
  'darwin',
  'win32',
  'freebsd',
  'android',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'openharmony',
];
const PROCESSORS = [
  'x64',
  'arm64',
  'arm',
  'ia32',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
];
/** Words of package names that are not Node's own. */
const ALIASES: Readonly<Record<string, string>> = {
  windows: 'win32',
  amd64: 'x64',
  armv6: 'arm',
  armv7: 'arm',
  mips64le: 'mips64el',
  riscv: 'riscv64',
};

/** Reads the platform from a package's name, for example `@biomejs/cli-linux-arm64-musl`. */
export function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/_.]/).map((word) => ALIASES[word] ?? word);
  const os = words.filter((word) => SYSTEMS.includes(word));
  const cpu = words.filter((word) => PROCESSORS.includes(word));
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  return {
    ...(os.length > 0 && { os }),
    ...(cpu.length > 0 && { cpu }),
    ...(libc.length > 0 && { libc }),
  };
}

/**
 * Optional dependencies that have no entry where npm would look for them: `[path of the entry,
 * version, is dev]`.
 */
export function findMissing(lock: Lock): [path: string, version: string, isDev: boolean][] {
  const missing: [string, string, boolean][] = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const isFound = ancestorsOf(path).some(
        (folder) => `${folder}node_modules/${name}` in lock.packages,
      );
      if (!isFound) missing.push([`node_modules/${name}`, version, entry.dev === true]);
    }
  }
  return missing;
}

/** The folders in which Node looks for a dependency of the package at `path`, nearest first. */
function ancestorsOf(path: string): string[] {
  const parts = path === '' ? [] : path.split('/node_modules/');
  const folders = parts.map(
    (_, i) => `${parts.slice(0, parts.length - i).join('/node_modules/')}/`,
  );
  return [...folders, ''];
}

if (import.meta.main) {
  const file = new URL('../package-lock.json', import.meta.url);
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock;
  const missing = findMissing(lock);
  for (const [path, version, isDev] of missing) {
    lock.packages[path] ??= {
      version,
      ...(isDev && { dev: true }),
      optional: true,
      ...platformOf(path),
    };
  }
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`package-lock.json: ${missing.length} entries added`);
}
