/** Examples that a program of the system reads or runs once: the unit, and the role's script. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DrillReport } from '../../harness/drill.ts';
import { type Cluster, query } from '../cluster.ts';
import { APPLICATION } from '../lab.ts';

const DEPLOY = new URL('../../../deploy/', import.meta.url).pathname;
const PROGRAM = '/opt/edge-account/node_modules/.bin/edge-account';
/** What `systemd-analyze security` calls OK: of ten, ten is unprotected. */
const EXPOSURE = { atMost: 3, unit: 'of 10' };

/** systemd does not run here: it reads the unit, and rates what it leaves to the process. */
export function examineUnit(report: DrillReport): void {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-unit-'));
  report.closing(() => rmSync(folder, { recursive: true, force: true }));
  const unit = join(folder, 'edge-account.service');
  const text = readFileSync(join(DEPLOY, 'systemd/edge-account.service'), 'utf8');
  writeFileSync(unit, text.replaceAll(PROGRAM, process.execPath));
  execFileSync('systemd-analyze', ['verify', unit]);
  report.check('systemd: systemd-analyze accepts the unit', true);
  const rated = execFileSync('systemd-analyze', ['security', '--offline=yes', unit]).toString();
  const exposure = Number(/exposure level for .*: ([\d.]+)/.exec(rated)?.[1]);
  report.limit('systemd: exposure by systemd-analyze security', exposure, EXPOSURE);
}

/** The script makes the role of instances, with its password and without further rights. */
export async function examineRoleScript(report: DrillReport, cluster: Cluster): Promise<void> {
  execFileSync('sh', [join(DEPLOY, 'postgresql/create-application-role.sh')], {
    env: {
      ...{ PATH: process.env.PATH ?? '', PGHOST: '127.0.0.1', PGPORT: String(cluster.port) },
      ...{ POSTGRES_USER: 'postgres', POSTGRES_DB: 'postgres', APPLICATION_PASSWORD: "it's 1" },
    },
    stdio: 'ignore',
  });
  const [role] = await query<{ rights: string }>(
    cluster.url(),
    `select concat_ws(' ', case when rolcanlogin then 'login' end,
       case when rolpassword like 'SCRAM-SHA-256$%' then 'password' end,
       case when rolsuper or rolcreaterole or rolcreatedb or rolreplication then 'more' end)
       as rights from pg_authid where rolname = $1`,
    [APPLICATION],
  );
  report.equal('postgresql: what the new role has', role?.rights ?? 'none', 'login password');
}
