/** `npm run seed`: sample accounts, on a service that starts and whose ledger verifies. */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPassword } from '../console/src/lib/password.ts';
import { type Operator, openOperator, signInByApi } from '../console/test/support/seed.ts';
import { nextCode } from '../console/test/support/seed-authenticator.ts';
import { expectOk } from '../service/test/demo/http-client.ts';
import {
  runCommand,
  type ServiceProcess,
  startService,
} from '../service/test/support/service-process.ts';

const SEED = new URL('./seed.ts', import.meta.url).pathname;
const DAYS = 60;
/** A minute on an idle machine. */
const SEEDED_WITHIN_MS = 600_000;
const DAY_MS = 86_400_000;

const folder = mkdtempSync(join(tmpdir(), 'edge-account-seed-'));
const environment = { PATH: process.env.PATH ?? '', DATA_DIR: folder };
let printed: string;
let service: ServiceProcess;
let operator: Operator;
/** Of the seeded person. */
let token: string;

interface Page<T> {
  readonly records: readonly T[];
  readonly total: number;
}

beforeAll(async () => {
  printed = execFileSync(process.execPath, [SEED], { env: environment, encoding: 'utf8' });
  const key = readFileSync(join(folder, 'master.key'), 'utf8').trim();
  const MASTER_KEY = Buffer.from(key, 'base64url').toString('hex');
  service = await startService({ DATA_DIR: folder, MASTER_KEY });
  const [, email = '', password = ''] = /Sign in: +(\S+), password "(.*)"/.exec(printed) ?? [];
  token = await signInByApi(service.baseUrl, { email, password, nickname: '' });
  operator = await openOperator({ baseUrl: service.baseUrl, dataDir: folder });
}, SEEDED_WITHIN_MS);
afterAll(async () => {
  await service?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const get = <T>(path: string): Promise<T> => expectOk<T>(`${service.baseUrl}${path}`, { token });
const operate = <T>(path: string): Promise<T> =>
  expectOk<T>(`${service.baseUrl}/operator${path}`, { token: operator.token });
const listDevices = async () =>
  (await get<{ devices: { node_id: string }[] }>('/me/devices')).devices;

test('the person has devices, bills, addresses, and payouts in several statuses', async () => {
  expect(await listDevices()).toHaveLength(2);
  const bills = await get<Page<object>>('/bonus-account/bills?current=1&size=1');
  expect(bills.total).toBeGreaterThan(60);
  expect(await get<unknown[]>('/me/payout-addresses')).toHaveLength(2);
  const payouts = await get<Page<{ status: string }>>('/payouts?current=1&size=20');
  expect(payouts.records.map(({ status }) => status).toReversed()).toEqual([
    ...['confirmed', 'rejected', 'cancelled', 'in_review', 'approved', 'in_review'],
  ]);
});

test('something was earned on every day of the period', async () => {
  const dayOf = (ago: number): string =>
    new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const points = await get<{ date: string; currency: string; amount: number }[]>(
    `/dashboard/earnings?beginDate=${dayOf(DAYS - 1)}&endDate=${dayOf(1)}`,
  );
  const earned = points.filter(({ currency, amount }) => currency === 'EDGE' && amount > 0);
  expect(new Set(earned.map(({ date }) => date)).size).toBe(DAYS - 1);
});

test('a device earned nothing in the hours in which it was offline', async () => {
  for (const { node_id } of await listDevices()) {
    const { hours } = await get<{ hours: { hour: string; online_seconds: number }[] }>(
      `/me/devices/${node_id}/usage`,
    );
    const online = new Set(
      hours.filter(({ online_seconds }) => online_seconds > 0).map(({ hour }) => hour),
    );
    expect(online.size).toBeGreaterThan(90);
    expect(online.size).toBeLessThan(7 * 24);
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    const lines = await get<Page<{ hour: string; amount: number }>>(
      `/me/rewards?nodeId=${node_id}&beginTime=${yesterday}&endTime=${yesterday}&current=1&size=20`,
    );
    const paid = lines.records.filter(({ amount }) => amount > 0).map(({ hour }) => hour);
    expect(paid.length).toBeGreaterThan(10);
    expect(paid.filter((hour) => !online.has(hour))).toEqual([]);
  }
});

test('a payout can be requested, and waits for an operator', async () => {
  const [{ id: address_id } = { id: 0 }] = await get<{ id: number }[]>('/me/payout-addresses');
  const before = await operate<Page<object>>('/payouts?status=in_review&current=1&size=20');
  expect(before.total).toBe(2);
  const payout = await expectOk<{ status: string }>(`${service.baseUrl}/payouts`, {
    token,
    body: { wallet: 'asset', currency: 'USDT', amount: '64', address_id },
    headers: { 'idempotency-key': randomUUID() },
  });
  expect(['requested', 'in_review']).toContain(payout.status);
  const countWaiting = async () =>
    (await operate<Page<object>>('/payouts?status=in_review&current=1&size=20')).total;
  await expect.poll(countWaiting).toBe(3);
});

test('deposits and rewards wait for an operator', async () => {
  const held = await operate<Page<{ amount: number }>>(
    '/deposits?status=on_hold&current=1&size=20',
  );
  expect(held.records.map(({ amount }) => amount)).toEqual([1200, 250]);
  const rewards = await operate<Page<{ reason: string; amount: number }>>(
    '/held-rewards?current=1&size=20',
  );
  expect(rewards.records.map(({ reason }) => reason)).toEqual(['shared_address', 'shared_address']);
  expect(rewards.records.every(({ amount }) => amount > 0)).toBe(true);
});

test('one webhook takes what it is sent, and one fails', async () => {
  const webhooks = await operate<{ id: number; description: string }[]>('/webhooks');
  const statesOf = async (description: string) => {
    const { id } = webhooks.find((webhook) => webhook.description === description) ?? { id: 0 };
    const { records } = await operate<Page<{ state: string; last_status?: number }>>(
      `/webhooks/${id}/deliveries?current=1&size=20`,
    );
    expect(records.length).toBeGreaterThan(3);
    return new Set(records.map(({ state }) => state));
  };
  expect(await statesOf('Bookkeeping')).toContain('delivered');
  expect(await statesOf('Shop')).toEqual(new Set(['pending']));
});

test('a message that was refused is a dead letter', async () => {
  const webhooks = await operate<{ description: string; dead: number }[]>('/webhooks');
  const dead = webhooks.filter((webhook) => webhook.dead > 0);
  expect(dead).toMatchObject([{ description: 'Former shop', dead: 1 }]);
});

test('rules, prices, applications and the brand have what operators decided', async () => {
  const rules = await operate<{ draft: boolean }[]>('/rules');
  expect(rules.map(({ draft }) => draft).sort()).toEqual([false, true]);
  const feeds = await operate<{ name: string; last_success_at?: string }[]>('/price-feeds');
  expect(feeds).toMatchObject([{ name: 'exchange', last_success_at: expect.any(String) }]);
  const clients = await operate<Page<{ client_name: string }>>('/clients?current=1&size=20');
  expect(clients.records).toContainEqual(expect.objectContaining({ client_name: 'Weather' }));
  expect(await operate('/brand')).toMatchObject({ support_url: 'mailto:help@network.example' });
});

test('money of a person is frozen, a withdrawal is held, and an API is registered', async () => {
  const { records } = await operate<Page<{ user_id: number }>>('/users?current=1&size=20');
  const people = await Promise.all(
    records.map(({ user_id }) => operate<{ money_frozen_since?: string }>(`/users/${user_id}`)),
  );
  expect(people.filter(({ money_frozen_since: since }) => since !== undefined)).toHaveLength(1);
  const withdrawals = await Promise.all(
    records.map(({ user_id }) =>
      operate<{ state: string; reference?: string }[]>(`/withdrawals?userId=${user_id}`),
    ),
  );
  expect(withdrawals.flat()).toContainEqual(expect.objectContaining({ reference: 'card-77' }));
  expect(await operate('/resource-servers')).toMatchObject([{ id: 'orders' }]);
});

test('money was taken back, and the last verification found nothing', async () => {
  const changes = await operate<{ entries: { operation: string }[] }>(
    '/audit?actor_kind=person&size=100',
  );
  expect(changes.entries.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['reverseTransfer', 'refundPurchase']),
  );
  const overview = await operate<{ last_verification?: object }>('/overview');
  expect(overview.last_verification).toMatchObject({ findings: 0 });
});

test('the bell has news, and a device has refused reports', async () => {
  const readCodes = async () =>
    (await get<{ records: { code: string }[] }>('/me/notifications')).records.map(
      ({ code }) => code,
    );
  await expect
    .poll(readCodes)
    .toEqual(expect.arrayContaining(['deposit_credited', 'deposit_on_hold', 'payout_confirmed']));
  const refused = await Promise.all(
    (await listDevices()).map(({ node_id }) =>
      get<Page<object>>(`/me/devices/${node_id}/refused-reports?current=1&size=20`),
    ),
  );
  expect(refused.map(({ total }) => total).sort()).toEqual([0, 2]);
});

test('an operator has left a trace, and can sign in with what is printed', async () => {
  const log = await operate<{ entries: { operation: string; reason?: string }[] }>(
    '/audit?actor_kind=person&size=100',
  );
  expect(log.entries).toContainEqual(
    expect.objectContaining({ operation: 'disableUser', reason: expect.stringMatching(/share/) }),
  );
  const [, email = '', password = ''] = /Operator: +(\S+), password "(.*)"/.exec(printed) ?? [];
  const [, secret = ''] = /Authenticator: +([A-Z2-7]+)/.exec(printed) ?? [];
  const { login_ticket } = await expectOk<{ login_ticket: string }>(
    `${service.baseUrl}/user/login-with-password`,
    { body: { email, login_password: hashPassword(password) } },
  );
  const signedIn = await expectOk<{ email: string }>(`${service.baseUrl}/user/login/2fa`, {
    body: { email, login_ticket, method: 'AUTHENTICATOR', authenticator_code: nextCode(secret) },
  });
  expect(signedIn.email).toBe(email);
});

// The last one: it stops the service.
test('the ledger verifies, and a second run changes nothing', async () => {
  await service.stop();
  expect(await runCommand(['verify'], service.env)).toMatchObject({ code: 0 });
  const again = spawnSync(process.execPath, [SEED], { env: environment, encoding: 'utf8' });
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('has a database') });
});
