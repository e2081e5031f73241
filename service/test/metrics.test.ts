/** What `GET /metrics` shows an operator, and that the alerts use nothing else. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/db/index.ts';
import { VERSION } from '../src/version.ts';
import { openTestDatabase } from './support/databases.ts';
import { type RunningService, startService } from './support/running-service.ts';

const ALERTS = new URL('../../deploy/prometheus/alerts.yml', import.meta.url).pathname;
const RUNBOOKS = new URL('../../docs/runbooks.md', import.meta.url);

let database: Database;
let service: RunningService;
beforeAll(async () => {
  database = await openTestDatabase('server');
  const env = { SMTP_URL: 'smtp://127.0.0.1:1', ROLES: 'http,gateway,jobs,chains' };
  service = await startService(database, { env });
});
afterAll(async () => {
  await service?.stop();
  await database?.close();
});

async function scrape(): Promise<string> {
  const token = await service.tokens.operator('operator:metrics');
  const answer = await fetch(`${service.baseUrl}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** The value of one series. */
function readSeries(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test('connections, feed, keys, build and jobs are shown', async () => {
  await expect
    .poll(async () =>
      readSeries(await scrape(), 'edge_account_job_duration_seconds{job="assign-positions"}'),
    )
    .toBeGreaterThan(0);
  const text = await scrape();
  expect(readSeries(text, `edge_account_build_info{version="${VERSION}"}`)).toBe(1);
  expect(readSeries(text, 'edge_account_database_connections{state="waiting"}')).toBe(0);
  expect(readSeries(text, 'edge_account_feed_age_seconds{feed="revocations"}')).toBeLessThan(60);
  for (const kind of ['jti', 'sid', 'grant', 'timed'])
    expect(readSeries(text, `edge_account_revocations{kind="${kind}"}`), kind).toBeDefined();
  expect(readSeries(text, 'edge_account_signing_key_age_seconds{alg="RS256"}')).toBeLessThan(600);
  expect(readSeries(text, 'edge_account_job_failures{job="assign-positions"}')).toBe(0);
});

test('a sign-in that fails is counted by its cause', async () => {
  const route = '/user/login-with-password';
  await fetch(`${service.baseUrl}${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.test', login_password: '0'.repeat(32) }),
  });
  const series = `edge_account_problems_total{route="${route}",code="invalid_credentials"}`;
  expect(readSeries(await scrape(), series)).toBe(1);
});

test('each alert uses metrics that exist, and has a runbook', async () => {
  const alerts = readFileSync(ALERTS, 'utf8');
  const shown = new Set((await scrape()).match(/^# TYPE \w+/gm)?.map((line) => line.slice(7)));
  const asked = new Set(alerts.match(/\bedge_account_\w+/g));
  expect(asked.size).toBeGreaterThan(10);
  expect([...asked].filter((name) => !shown.has(name))).toEqual([]);
  const names = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  const sections = [...readFileSync(RUNBOOKS, 'utf8').matchAll(/^## (\w+)$/gm)];
  expect(sections.map(([, name]) => name)).toEqual(names);
  for (const name of names)
    expect(alerts).toContain(`runbook: docs/runbooks.md#${name?.toLowerCase()}`);
});

const hasPromtool = await promisify(execFile)('promtool', ['--version']).then(
  () => true,
  () => false,
);

test.skipIf(!hasPromtool)('promtool accepts the alerts (skipped without promtool)', async () => {
  const { stdout } = await promisify(execFile)('promtool', ['check', 'rules', ALERTS]);
  expect(stdout).toContain('SUCCESS');
});
