/** The examples under deploy/: each proxy that is installed runs in front of the service. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/db/index.ts';
import { findFiring } from './support/alert-rules.ts';
import { openTestDatabase } from './support/databases.ts';
import { findFreePort } from './support/postgres-server.ts';
import { isInstalled, PROXY_NAMES, startProxy } from './support/proxies.ts';
import { type RunningService, startService } from './support/running-service.ts';

const run = promisify(execFile);
const DEPLOY = new URL('../../deploy/', import.meta.url).pathname;

let database: Database;
let service: RunningService;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edge-account-deploy-'));
  database = await openTestDatabase('server');
  service = await startService(database);
});
afterAll(async () => {
  await service?.stop();
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

const installed = new Map(
  await Promise.all(
    [...PROXY_NAMES, 'promtool', 'helm', 'systemd-analyze'].map(
      async (name) => [name, await isInstalled(name)] as const,
    ),
  ),
);

for (const name of PROXY_NAMES)
  test.skipIf(!installed.get(name))(
    `${name} passes requests on while an instance is down (skipped where it is not installed)`,
    async () => {
      const [listen, down] = [await findFreePort(), await findFreePort()];
      const instances = [service.config.PORT, down] as const;
      const proxy = await startProxy(name, { folder, listen, instances });
      const ask = (path: string) => fetch(`http://127.0.0.1:${listen}${path}`);
      try {
        for (let n = 0; n < 20; n++) expect((await ask('/readyz')).status).toBe(200);
        for (const path of ['/metrics', '/dev/mail']) expect((await ask(path)).status).toBe(404);
      } finally {
        await proxy.stop();
      }
    },
  );

test.skipIf(!installed.get('promtool'))(
  'promtool accepts the configuration (skipped where it is not installed)',
  async () => {
    const { stdout } = await run('promtool', [
      ...['check', 'config', '--syntax-only', join(DEPLOY, 'prometheus/prometheus.yml')],
    ]);
    expect(stdout).toContain('SUCCESS');
  },
);

/** A job that has failed 10 times, and fails at every tenth minute. @param succeeded Unix time */
const scrapeFailing = (failures: number, succeeded: number): string =>
  `edge_account_job_failures{job="ship-heads"} ${failures}
edge_account_job_last_success_timestamp_seconds{job="ship-heads"} ${succeeded}
`;

test.skipIf(!installed.get('promtool'))(
  'a job that runs each ten minutes alerts when it has not succeeded for an hour ' +
    '(skipped where promtool is not installed)',
  async () => {
    const firing = (succeeded: number) =>
      findFiring([scrapeFailing(10, succeeded), scrapeFailing(10.1, succeeded)]);
    // promtool's time begins at 0, and it looks after 5,400 s.
    expect(await firing(0)).toEqual(['EdgeAccountJobFails']);
    expect(await firing(5000)).toEqual([]);
  },
);

test.skipIf(!installed.get('systemd-analyze'))(
  'systemd accepts the unit (skipped where it is not installed)',
  async () => {
    const unit = readFileSync(join(DEPLOY, 'systemd/edge-account.service'), 'utf8');
    const path = join(folder, 'edge-account.service');
    writeFileSync(
      path,
      unit.replaceAll('/opt/edge-account/node_modules/.bin/edge-account', '/bin/true'),
    );
    await run('systemd-analyze', ['verify', path]);
  },
);

test('the chart is of this version, and its instances have every role together', () => {
  const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');
  const { version } = JSON.parse(read('../package.json')) as { version: string };
  const chart = read('helm/edge-account/Chart.yaml');
  expect(/^version: (\S+)$/m.exec(chart)?.[1]).toBe(version);
  expect(/^appVersion: (\S+)$/m.exec(chart)?.[1]).toBe(version);
  const roles = [...read('helm/edge-account/values.yaml').matchAll(/roles: \[(.*)\]/g)];
  const together = roles.flatMap(([, names = '']) => names.split(', ')).sort();
  expect(together).toEqual([...service.config.roles].sort());
});

const VERSION = ['--kube-version', '1.31.0'];

/** What Helm makes of the chart. */
const render = async (values: readonly string[]): Promise<string> => {
  const chart = join(DEPLOY, 'helm/edge-account');
  const settings = values.flatMap((value) => ['--set', value]);
  await run('helm', ['lint', '--strict', chart, ...settings]);
  return (await run('helm', ['template', 'edge', chart, ...VERSION, ...settings])).stdout;
};

test.skipIf(!installed.get('helm'))(
  'Helm renders the chart, and only the job that migrates has the role of the owner ' +
    '(skipped where it is not installed)',
  async () => {
    const text = await render(['ingress.enabled=true', 'serviceMonitor.enabled=true']);
    const objects = text.split(/^---$/m);
    const kinds = objects.flatMap((object) => /^kind: (\S+)$/m.exec(object)?.[1] ?? []);
    for (const [kind, count] of [
      ...([
        ['Deployment', 3],
        ['PodDisruptionBudget', 3],
        ['Service', 3],
      ] as const),
      ...([
        ['Job', 1],
        ['ConfigMap', 1],
        ['Ingress', 1],
        ['ServiceMonitor', 1],
      ] as const),
    ])
      expect(kinds.filter((one) => one === kind)).toHaveLength(count);
    const owning = objects.filter((object) => object.includes('edge-account-owner'));
    expect(owning.map((object) => /^kind: (\S+)$/m.exec(object)?.[1])).toEqual(['Job']);
    for (const pod of objects.filter((object) => object.includes('containers:'))) {
      expect(pod).toContain('readOnlyRootFilesystem: true');
      expect(pod).toContain('runAsNonRoot: true');
    }
    await expect(render(['instances.web.roles={everything}'])).rejects.toThrow();
  },
);

test('the dashboard uses metrics that exist', async () => {
  const token = await service.tokens.operator('operator:metrics');
  const scrape = await fetch(`${service.baseUrl}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const shown = new Set((await scrape.text()).match(/^# TYPE \w+/gm)?.map((line) => line.slice(7)));
  const dashboard = readFileSync(join(DEPLOY, 'grafana/edge-account.json'), 'utf8');
  const asked = new Set(dashboard.match(/\bedge_account_\w+/g));
  expect(asked.size).toBeGreaterThan(10);
  // Mail is shown with a mail server only.
  const missing = [...asked].filter((one) => !shown.has(one));
  expect(missing.filter((one) => !one.startsWith('edge_account_mail_'))).toEqual([]);
});

test('Grafana finds its dashboard and its figures where compose.yaml puts them', () => {
  const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');
  const compose = read('../compose.yaml');
  const provisioning = 'grafana/provisioning';
  const [, path] = /path: (\S+)/.exec(read(`${provisioning}/dashboards/edge-account.yml`)) ?? [];
  const source = read(`${provisioning}/datasources/prometheus.yml`);
  const mounts = [...compose.matchAll(/- \.\/deploy\/(grafana\S*):(\S+):ro/g)];
  expect(mounts.map(([, from, to]) => [from, to])).toEqual([
    ['grafana/edge-account.json', `${path}/edge-account.json`],
    [provisioning, '/etc/grafana/provisioning'],
  ]);
  expect(new URL(/url: (\S+)/.exec(source)?.[1] ?? '').port).toBe('9090');
  expect(compose).toContain(`\n  ${new URL(/url: (\S+)/.exec(source)?.[1] ?? '').hostname}:\n`);
  // Panels name no source: they use the default one.
  expect(source).toContain('isDefault: true');
  expect(read('grafana/edge-account.json')).not.toContain('"datasource"');
});
