/**
 * The steps of the Dockerfile run as a script in empty folders, and what they make serves: as a
 * user without rights, in a tree that cannot be written to.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import type { Drill, DrillReport } from '../harness/drill.ts';
import { openPostgresHome } from '../support/cluster.ts';
import { buildImage, type Image } from '../support/image.ts';
import { findLackOfRoots } from '../support/image-root.ts';
import { APPLICATION, createDatabase, DATABASE, OWNER } from '../support/lab.ts';
import { until } from '../support/load.ts';

const BASE = /^node:24(\.|-|$)/;
/** The first start of the embedded database applies every migration. */
const READY_MS = 180_000;
const STOP = { atMost: 10, unit: 's' };
const SIZE = { atMost: 150, unit: 'MB' };

/** What the folders of the image take, each file once. */
function measure_MB(folder: string): number {
  const sizes = new Map<number, number>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const { ino, blocks } = lstatSync(join(entry.parentPath, entry.name));
    sizes.set(ino, blocks * 512);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1e6;
}

interface Running {
  readonly address: string;
  readonly pid: number;
  /** @returns the exit code after the signal of the image, and what was printed */
  stop(): Promise<{ code: number | null; output: string }>;
}

/** What `docker run --read-only` does. */
function placeOf(image: Image, env: Readonly<Record<string, string>>) {
  const { folder, user } = image;
  return { folder, user, env: { ...image.env, ...env }, isReadOnly: true };
}

/** Starts the image with its own command, and waits until it is ready. */
async function start(
  report: DrillReport,
  image: Image,
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const { entrypoint, command, stopSignal } = image.stage;
  const child = image.root.spawn([...entrypoint, ...command], placeOf(image, env));
  report.closing(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const exited = new Promise<number | null>((done) => child.once('close', done));
  const address = `http://127.0.0.1:${env.PORT}`;
  const begun = performance.now();
  const readyAt = await until(async () => {
    if (child.exitCode !== null)
      throw new Error(`the image ended with ${child.exitCode}: ${output}`);
    if (performance.now() - begun > READY_MS)
      throw new Error(`the image was not ready after ${READY_MS / 1000} s: ${output}`);
    return (await fetch(`${address}/readyz`).catch(() => undefined))?.ok === true;
  });
  report.note(`/readyz is 200 after ${((readyAt - begun) / 1000).toFixed(1)} s`);
  return {
    ...{ address, pid: child.pid ?? 0 },
    async stop() {
      child.kill(stopSignal as NodeJS.Signals);
      return { code: await exited, output };
    },
  };
}

/** Who the process is, and what it may do. */
function checkRights(report: DrillReport, { pid }: Running): void {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): string =>
    new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
  report.check(`it does not run as root (user ${read('Uid')})`, Number(read('Uid')) > 0);
  report.equal('its capabilities', Number.parseInt(read('CapEff'), 16), 0);
  report.equal('it can get no more of them (NoNewPrivs)', Number(read('NoNewPrivs')), 1);
}

/** Whether the image's user can make a file there. */
async function canWrite(image: Image, folder: string): Promise<boolean> {
  const line = `touch ${folder}/trial && rm ${folder}/trial`;
  const { code } = await image.root.run(['/bin/sh', '-c', line], placeOf(image, {}));
  return code === 0;
}

async function checkServing(
  report: DrillReport,
  image: Image,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const running = await start(report, image, env);
  checkRights(report, running);
  const page = await fetch(running.address, { headers: { accept: 'text/html' } });
  report.check('the console answers', (await page.text()).includes('<html'));
  const check = () => image.root.run(image.stage.healthcheck ?? ['false'], placeOf(image, env));
  report.equal('the health check, while it serves', (await check()).code ?? 'none', 0);
  const stopping = performance.now();
  const { code, output } = await running.stop();
  report.limit('stopped after', (performance.now() - stopping) / 1000, STOP);
  report.equal(`exit code at ${image.stage.stopSignal}`, code ?? 'none', 0);
  report.equal('lines of errors', output.match(/"level":(5|6)0/g)?.length ?? 0, 0);
  report.equal('the health check, after it has ended', (await check()).code ?? 'none', 1);
}

/** The migration with the owner's role and two instances' environment, as in compose.yaml. */
async function serveOnPostgres(report: DrillReport, image: Image): Promise<void> {
  const home = openPostgresHome();
  report.closing(() => home.remove());
  const cluster = await home.create('primary');
  await createDatabase(cluster);
  const port = String(await findFreePort());
  const env = {
    PORT: port,
    DATABASE_URL: cluster.url(DATABASE, APPLICATION),
    MASTER_KEY: randomBytes(32).toString('hex'),
    BASE_URL: `http://localhost:${port}`,
    SMTP_URL: 'smtp://127.0.0.1:9',
    TRUSTED_PROXIES: '172.16.0.0/12',
  };
  const owned = { ...env, DATABASE_OWNER_URL: cluster.url(DATABASE, OWNER) };
  const migrate = [...image.stage.entrypoint, 'migrate', '--application-role', APPLICATION];
  const { code, output } = await image.root.run(migrate, placeOf(image, owned));
  report.equal(`migrate${code === 0 ? '' : ` (${output})`}`, code ?? 'none', 0);
  await checkServing(report, image, env);
}

/** One container with a volume, and no database. */
async function serveEmbedded(report: DrillReport, image: Image): Promise<void> {
  const port = String(await findFreePort());
  const env = { PORT: port, BASE_URL: `http://localhost:${port}`, SMTP_URL: 'smtp://127.0.0.1:9' };
  await checkServing(report, image, env);
  const key = lstatSync(join(image.root.folder, 'data/master.key'));
  report.equal('master.key of the volume, its mode', (key.mode & 0o777).toString(8), '600');
}

const drill: Drill = {
  name: 'image',
  summary: 'the steps of the Dockerfile run in empty folders, and their result serves, read-only',
  guide: 'operations.md#containers',
  isLong: true,
  missing: findLackOfRoots,
  async run(report) {
    const parent = mkdtempSync(join(tmpdir(), 'edge-account-image-'));
    report.closing(() => rmSync(parent, { recursive: true, force: true }));
    let from = performance.now();
    const image = await buildImage(parent, (stage, { kind }) => {
      const took_s = (performance.now() - from) / 1000;
      report.note(`${stage.name ?? 'last stage'}: ${kind.toUpperCase()}, ${took_s.toFixed(1)} s`);
      from = performance.now();
    });
    report.check(`it is based on Node.js 24 (${image.stage.base})`, BASE.test(image.stage.base));
    report.limit('what it adds to its base', measure_MB(image.root.folder), SIZE);
    for (const [place, isOpen] of [
      ...[['/', false] as const, ['/app', false] as const, ['/etc', false] as const],
      ...[['/data', true] as const, ['/tmp', true] as const],
    ])
      report.equal(
        `its user can write to ${place}`,
        String(await canWrite(image, place)),
        `${isOpen}`,
      );
    await serveOnPostgres(report, image);
    await serveEmbedded(report, image);
  },
};
export default drill;
