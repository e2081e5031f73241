/** Prometheus reads its examples, scrapes both instances, and evaluates each rule. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectOk } from '../../../service/test/demo/http-client.ts';
import { ALERT_NAMES, ALERTS } from '../../../service/test/support/alert-rules.ts';
import { findFreePort } from '../../../service/test/support/postgres-server.ts';
import type { DrillReport } from '../../harness/drill.ts';
import type { Lab } from '../lab.ts';
import { until } from '../load.ts';

const EXAMPLE = new URL('../../../deploy/prometheus/prometheus.yml', import.meta.url);
const LOOK_EVERY_MS = 500;
const GIVES_UP_MS = 180_000;
/** An interval of scrapes is 15 s. */
const SCRAPED = { atMost: 30, unit: 's' };
/** Rules are evaluated once a minute. */
const EVALUATED = { atMost: 90, unit: 's' };

/** Makes the client that the example names, as its comment says. @returns its secret */
async function createClient(lab: Lab): Promise<string> {
  const scope = 'operator:metrics';
  const output = await lab.command([
    ...['clients', 'create', '--id', 'prometheus', '--name', 'Prometheus'],
    ...['--scope', scope, '--grant', 'client_credentials'],
  ]);
  const client: { client_secret: string } = JSON.parse(output.slice(output.indexOf('{')));
  return client.client_secret;
}

/** Writes the examples with the addresses of the instances. @returns the configuration's path */
async function writeExamples(lab: Lab, folder: string): Promise<string> {
  const secret = join(folder, 'client-secret');
  writeFileSync(secret, await createClient(lab), { mode: 0o600 });
  const [first = '', second = ''] = lab.addresses.map((address) => new URL(address).host);
  const config = join(folder, 'prometheus.yml');
  writeFileSync(
    config,
    readFileSync(EXAMPLE, 'utf8')
      .replace('instance-a:8080', first)
      .replace('instance-b:8080', second)
      .replace('proxy:8080', first)
      .replaceAll('/etc/prometheus/client-secret', secret),
  );
  cpSync(ALERTS, join(folder, 'alerts.yml'));
  return config;
}

interface Answer<T> {
  readonly data: T;
}
interface Rule {
  readonly name: string;
  readonly health: 'ok' | 'err' | 'unknown';
  readonly state: string;
  readonly lastError?: string;
}

interface Target {
  readonly scrapeUrl: string;
  readonly health: 'up' | 'down' | 'unknown';
  readonly lastError: string;
}

/** @returns the address of Prometheus, once it answers */
async function startPrometheus(
  report: DrillReport,
  config: string,
  folder: string,
): Promise<string> {
  const listen = `127.0.0.1:${await findFreePort()}`;
  const child = spawn(
    'prometheus',
    [
      ...['--config.file', config, '--storage.tsdb.path', join(folder, 'data')],
      ...['--web.listen-address', listen],
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'close');
  report.closing(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`prometheus ended with ${child.exitCode}`);
    return (await fetch(`http://${listen}/-/ready`).catch(() => undefined))?.ok === true;
  });
  return `http://${listen}/api/v1`;
}

/** Asks again until the answer is yes, or it takes too long. */
async function untilOrLate(ask: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  await until(async () => performance.now() - begun > GIVES_UP_MS || (await ask()), LOOK_EVERY_MS);
}

export async function examinePrometheus(report: DrillReport, lab: Lab): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-prometheus-'));
  report.closing(() => rmSync(folder, { recursive: true, force: true }));
  const config = await writeExamples(lab, folder);
  const checked = execFileSync('promtool', ['check', 'config', config]).toString();
  const found = Number(/(\d+) rules found/.exec(checked)?.[1]);
  report.equal('prometheus: rules that promtool finds and accepts', found, ALERT_NAMES.length);

  const begun = performance.now();
  const passed_s = (): number => (performance.now() - begun) / 1000;
  const api = await startPrometheus(report, config, folder);
  const readDown = async (): Promise<string[]> =>
    (await expectOk<Answer<{ activeTargets: Target[] }>>(`${api}/targets`)).data.activeTargets
      .filter(({ health }) => health !== 'up')
      .map(({ scrapeUrl, health, lastError }) => `${scrapeUrl} is ${health}: ${lastError}`);
  const countUp = async (): Promise<number> => {
    const expression = encodeURIComponent('count(up{job="edge-account"} == 1)');
    const { data } = await expectOk<Answer<{ result: { value: [number, string] }[] }>>(
      `${api}/query?query=${expression}`,
    );
    return Number(data.result[0]?.value[1] ?? 0);
  };
  await untilOrLate(async () => (await countUp()) === lab.instances.length);
  report.equal('prometheus: instances that it scrapes', await countUp(), lab.instances.length);
  for (const down of await readDown()) report.note(`prometheus: ${down}`);
  report.limit('prometheus: both are scraped', passed_s(), SCRAPED);

  const readRules = async (): Promise<Rule[]> =>
    (await expectOk<Answer<{ groups: { rules: Rule[] }[] }>>(`${api}/rules`)).data.groups.flatMap(
      ({ rules }) => rules,
    );
  await untilOrLate(async () => (await readRules()).every(({ health }) => health !== 'unknown'));
  const rules = await readRules();
  const wrong = rules.filter(({ health }) => health !== 'ok');
  const words = wrong.map(({ name, lastError }) => `${name} (${lastError})`).join(', ');
  report.equal('prometheus: rules that cannot be evaluated', words || 'none', 'none');
  report.equal('prometheus: rules that it has', rules.length, ALERT_NAMES.length);
  const firing = rules.filter(({ state }) => state === 'firing').map(({ name }) => name);
  report.equal('prometheus: alerts that fire', firing.join(', ') || 'none', 'none');
  report.limit('prometheus: each rule is evaluated', passed_s(), EVALUATED);
}
