/**
 * The root of a container without Docker: an empty folder that a step runs in by chroot, with the
 * system's programs mounted read-only and Node.js in the place where the image has it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, matchesGlob, relative, resolve } from 'node:path';

/** Of `node:24-slim`: the user that its documentation names. */
const NODE_USER = 1000;
const USERS: Readonly<Record<string, number>> = { root: 0, node: NODE_USER };
export const IMAGE_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Mounts that last as long as the process: they are in a namespace of its own. */
const SCRIPT = `
root=$1 local=$2 mode=$3 folder=$4 user=$5; shift 5
mount --make-rprivate /
mount --bind "$root" "$root"
for one in usr etc/ssl; do mount --bind -o ro "/$one" "$root/$one"; done
mount --bind -o ro "$local" "$root/usr/local"
mount --rbind /dev "$root/dev"
mount -t proc -o ro proc "$root/proc" 2>/dev/null || mount --rbind /proc "$root/proc"
if [ "$mode" = ro ]; then
  mount --bind "$root/data" "$root/data"
  mount -o remount,bind,ro "$root"
  mount -t tmpfs tmpfs "$root/tmp"
fi
exec chroot "$root" env -C "$folder" setpriv --reuid="$user" --regid="$user" --clear-groups \
  --no-new-privs --bounding-set="$([ "$user" = 0 ] && echo +all || echo -all)" -- "$@"
`;

/** Where a process of the image runs, and as whom. */
export interface Place {
  readonly folder: string;
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
  /** Everything but `/data` and `/tmp` cannot be written to. */
  readonly isReadOnly?: boolean;
}

export interface ImageRoot {
  readonly folder: string;
  /** Starts a program; its process has the id of the child. */
  spawn(args: readonly string[], place: Place): ChildProcess;
  /** Runs it to its end. @returns its exit code and what it printed */
  run(args: readonly string[], place: Place): Promise<{ code: number | null; output: string }>;
  /** Copies like COPY. @param from a folder; its `.dockerignore` counts */
  copy(from: string, sources: readonly string[], target: string): void;
}

/** `/usr/local` of the image: Node.js and npm. */
function createLocal(folder: string): string {
  const npm = dirname(dirname(process.env.npm_execpath ?? ''));
  for (const name of ['bin', 'lib/node_modules', 'share'])
    mkdirSync(join(folder, name), { recursive: true });
  cpSync(process.execPath, join(folder, 'bin/node'));
  cpSync(npm, join(folder, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, 'bin', name));
  return folder;
}

function readIgnored(folder: string): string[] {
  const file = join(folder, '.dockerignore');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** @param parent an empty folder that its caller removes */
export function createImageRoot(parent: string): ImageRoot {
  const folder = join(parent, 'root');
  const local = createLocal(join(parent, 'local'));
  for (const name of ['usr', 'etc/ssl', 'dev', 'proc', 'tmp', 'root'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64'])
    if (existsSync(`/${name}`)) symlinkSync(`usr/${name}`, join(folder, name));
  const lines = Object.entries(USERS).map(([name, id]) => [
    `${name}:x:${id}:${id}::/${name === 'root' ? 'root' : 'home/node'}:/bin/sh`,
    `${name}:x:${id}:`,
  ]);
  writeFileSync(join(folder, 'etc/passwd'), lines.map(([user]) => `${user}\n`).join(''));
  writeFileSync(join(folder, 'etc/group'), lines.map(([, group]) => `${group}\n`).join(''));
  for (const name of ['resolv.conf', 'hosts', 'nsswitch.conf'])
    if (existsSync(`/etc/${name}`)) cpSync(`/etc/${name}`, join(folder, 'etc', name));
  const self: ImageRoot = {
    folder,
    spawn(args, { folder: at, user, env, isReadOnly = false }) {
      const id = USERS[user];
      if (id === undefined) throw new Error(`the image has no user ${user}`);
      const place = [folder, local, isReadOnly ? 'ro' : 'rw', at, String(id)];
      return spawn('unshare', ['--mount', 'sh', '-euc', SCRIPT, 'sh', ...place, ...args], {
        env: { PATH: IMAGE_PATH, HOME: user === 'root' ? '/root' : `/home/${user}`, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    },
    async run(args, place) {
      const child = self.spawn(args, place);
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk: Buffer) => {
          output += chunk.toString();
        });
      const code = await new Promise<number | null>((done) => child.once('close', done));
      return { code, output };
    },
    copy(from, sources, target) {
      const ignored = readIgnored(from);
      const find = (source: string): string[] =>
        source === '.' ? [source] : globSync(source.replace(/^\//, ''), { cwd: from });
      const found = sources.flatMap(find);
      const isFolder = target.endsWith('/') || found.length > 1;
      if (found.length === 0) throw new Error(`nothing to copy: ${sources.join(' ')}`);
      for (const name of found) {
        const path = resolve(from, name);
        const isTree = statSync(path).isDirectory();
        const to = isFolder && !isTree ? join(target, basename(path)) : target;
        cpSync(path, join(folder, to), {
          ...{ recursive: true, verbatimSymlinks: true },
          filter: (one) => !ignored.some((pattern) => matchesGlob(relative(from, one), pattern)),
        });
      }
    },
  };
  return self;
}

/** Why no container can be imitated here, if so. */
export function findLackOfRoots(): string | undefined {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'only root may mount folders';
  const needed = ['unshare', 'chroot', 'setpriv'];
  const lacking = needed.find(
    (name) => !IMAGE_PATH.split(':').some((path) => existsSync(join(path, name))),
  );
  if (lacking !== undefined) return `${lacking} is not installed`;
  return process.env.npm_execpath === undefined ? 'it is run by npm only' : undefined;
}
