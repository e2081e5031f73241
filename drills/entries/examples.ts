/** Each example of deploy/ is started as it stands, in front of or beside real instances. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import type { Drill, DrillReport } from '../harness/drill.ts';
import { openPostgresHome } from '../support/cluster.ts';
import { examineRoleScript, examineUnit } from '../support/examples/files.ts';
import { examinePooler } from '../support/examples/pooler.ts';
import { examinePrometheus } from '../support/examples/prometheus.ts';
import { examineProxy } from '../support/examples/proxy.ts';
import { openLab } from '../support/lab.ts';

const DEPLOY = new URL('../../deploy/', import.meta.url);

/** By folder of deploy/: the program that runs it, and the Debian package that has the program. */
const PACKAGES: Readonly<Record<string, readonly [program: string, name: string]>> = {
  haproxy: ['haproxy', 'haproxy'],
  nginx: ['nginx', 'nginx'],
  caddy: ['caddy', 'caddy'],
  prometheus: ['prometheus', 'prometheus'],
  pgbouncer: ['pgbouncer', 'pgbouncer'],
  postgresql: ['psql', 'postgresql-client'],
  systemd: ['systemd-analyze', 'systemd'],
};
const PROXIES = ['haproxy', 'nginx', 'caddy'];
/** Folders that another drill starts. */
const OTHER_DRILLS = ['patroni'];
/** Folders that cannot be started here. */
const NOT_HERE: Readonly<Record<string, string>> = {
  helm: 'it needs a cluster of Kubernetes; service/test/deploy.test.ts renders it',
  grafana: 'Debian does not have it; service/test/deploy.test.ts compares it with the metrics',
};

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The examples whose programs are here; the others are skipped. */
function selectExamples(report: DrillReport): ReadonlySet<string> {
  const folders = readdirSync(DEPLOY);
  const known = [...OTHER_DRILLS, ...Object.keys(PACKAGES), ...Object.keys(NOT_HERE)];
  const unknown = folders.filter((name) => !known.includes(name));
  report.equal(
    'folders of deploy/ that are examined nowhere',
    unknown.join(', ') || 'none',
    'none',
  );
  for (const name of OTHER_DRILLS) report.note(`${name}: started by \`npm run drill ${name}\``);
  for (const [name, why] of Object.entries(NOT_HERE)) report.skip(`${name}: ${why}`);
  const entries = Object.entries(PACKAGES);
  for (const [folder, [program, name]] of entries)
    if (!isInstalled(program))
      report.skip(`${folder}: the Debian package ${name} is not installed`);
  return new Set(entries.flatMap(([folder, [program]]) => (isInstalled(program) ? [folder] : [])));
}

const drill: Drill = {
  name: 'examples',
  summary: 'each example of deploy/ is started as it stands, and used as in production',
  guide: 'operations.md#proxies',
  isLong: true,
  missing: () =>
    process.platform === 'linux' ? undefined : 'it uses loopback addresses that Linux has',
  async run(report) {
    const chosen = selectExamples(report);
    const home = openPostgresHome();
    report.closing(() => home.remove());
    if (chosen.has('systemd')) examineUnit(report);
    if (chosen.has('postgresql')) await examineRoleScript(report, await home.create('roles'));
    if (chosen.has('pgbouncer')) await examinePooler(report, await home.create('pooled'));
    const proxies = PROXIES.filter((name) => chosen.has(name));
    if (proxies.length === 0 && !chosen.has('prometheus')) return;
    const cluster = await home.create('primary');
    const lab = await openLab(report, cluster, {
      publicPort: await findFreePort(),
      env: { TRUSTED_PROXIES: '127.0.0.1' },
    });
    for (const name of proxies) await examineProxy(report, name, { lab, cluster });
    if (chosen.has('prometheus')) await examinePrometheus(report, lab);
  },
};
export default drill;
