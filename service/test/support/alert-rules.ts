/** Whether an alert of deploy/ fires while `/metrics` shows what it showed: Prometheus decides. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const ALERTS = new URL('../../../deploy/prometheus/alerts.yml', import.meta.url).pathname;

const run = promisify(execFile);
export const hasPromtool: boolean = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

const text = readFileSync(ALERTS, 'utf8');
export const ALERT_NAMES: readonly string[] = [...text.matchAll(/alert: (\w+)/g)].map(
  ([, name = '']) => name,
);
const METRICS = [...new Set(text.match(/\bedge_account_\w+/g))];

/** Each series of a scrape that an alert asks for, with its value. */
function readSeries(scrape: string): Map<string, number> {
  const series = new Map<string, number>();
  for (const line of scrape.split('\n')) {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name !== 'up' && !METRICS.includes(name)) continue;
    const own = 'job="edge-account",instance="a"';
    // As Prometheus renames a label that it sets itself.
    const shown = labels.replace(/\bjob=/, 'exported_job=');
    series.set(`${name}{${shown === '' ? own : `${shown},${own}`}}`, Number(value));
  }
  return series;
}

/** Minutes that the state lasts: longer than each alert waits. */
const LASTS_MIN = 90;

/**
 * @param scrapes two, a minute apart; counters continue to grow as between them
 * @returns the names of the alerts that fire
 */
export async function findFiring(scrapes: readonly [string, string]): Promise<string[]> {
  const [before, after] = scrapes.map(readSeries) as [Map<string, number>, Map<string, number>];
  const input = [...after].map(([series, value]) => {
    const isCounter = /_(total|failures)\{/.test(series);
    const first = isCounter ? (before.get(series) ?? 0) : value;
    return { series, values: `${first}+${value - first}x${LASTS_MIN}` };
  });
  const exprOf = (name: string): string =>
    `count(ALERTS{alertname="${name}",alertstate="firing"}) > bool 0`;
  const asked = ALERT_NAMES.map((name) => ({
    expr: exprOf(name),
    eval_time: `${LASTS_MIN}m`,
    exp_samples: [{ labels: '{}', value: 1 }],
  }));
  const test = { interval: '1m', input_series: input, promql_expr_test: asked };
  const folder = mkdtempSync(join(tmpdir(), 'edge-account-alerts-'));
  const file = join(folder, 'test.yml');
  // JSON is YAML.
  const content = { rule_files: [ALERTS], evaluation_interval: '1m', tests: [test] };
  writeFileSync(file, JSON.stringify(content));
  const output = await run('promtool', ['test', 'rules', file]).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
  rmSync(folder, { recursive: true });
  if (!/SUCCESS|got: nil/.test(output)) throw new Error(output);
  // Each that does not fire is a failure of its own.
  return ALERT_NAMES.filter((name) => !output.includes(JSON.stringify(exprOf(name))));
}
