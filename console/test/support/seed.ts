/** Fills a service with users, devices, earnings and bills, all through the API. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectOk, readCode } from '../../../service/test/demo/http-client.ts';
import { hashPassword } from '../../src/lib/password.ts';
import type { Person } from './user-flows.ts';

export interface Operator {
  readonly baseUrl: string;
  readonly token: string;
}

export interface Account {
  readonly userId: number;
  readonly referralCode: string;
  readonly accessToken: string;
}

/** The operator's client of a service with an embedded database. */
export async function openOperator(service: {
  readonly baseUrl: string;
  readonly dataDir: string;
}): Promise<Operator> {
  const { client_id, client_secret } = JSON.parse(
    readFileSync(join(service.dataDir, 'operator.json'), 'utf8'),
  ) as Record<string, string>;
  const response = await fetch(`${service.baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { baseUrl: service.baseUrl, token };
}

/** The credentials of users. */
export const PHONE = {
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 ' +
    '(KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
};

/** Signs in through the API. */
export async function signInByApi(baseUrl: string, { email, password }: Person): Promise<string> {
  const login = await expectOk<{ login_ticket: string }>(`${baseUrl}/user/login-with-password`, {
    headers: PHONE,
    body: { email, login_password: hashPassword(password) },
  });
  const code = await readCode(baseUrl, email);
  const body = { email, login_ticket: login.login_ticket, method: 'EMAIL', validate_code: code };
  return (
    await expectOk<{ access_token: string }>(`${baseUrl}/user/login/2fa`, { headers: PHONE, body })
  ).access_token;
}

/** Registers and signs in through the API. */
export async function signUpByApi(
  baseUrl: string,
  person: Person,
  referralCode?: string,
): Promise<Account> {
  const { email, nickname, password } = person;
  const body = {
    email,
    nickname,
    login_password: hashPassword(password),
    ...(referralCode !== undefined && { referral_code: referralCode }),
  };
  const { register_ticket } = await expectOk<{ register_ticket: string }>(
    `${baseUrl}/user/register`,
    { headers: PHONE, body },
  );
  const made = await expectOk<{ user_id: number; referral_code: string }>(
    `${baseUrl}/user/register/verify`,
    {
      headers: PHONE,
      body: { email, register_ticket, validate_code: await readCode(baseUrl, email) },
    },
  );
  return {
    userId: made.user_id,
    referralCode: made.referral_code,
    accessToken: await signInByApi(baseUrl, person),
  };
}

function operate<T>(operator: Operator, path: string, body: unknown): Promise<T> {
  return expectOk(`${operator.baseUrl}${path}`, {
    token: operator.token,
    body,
    headers: { 'idempotency-key': randomUUID() },
  });
}

export interface Reward {
  readonly amount: string;
  readonly reward_type: string;
  readonly event_at: string;
  readonly node_id?: string;
}

/** Pays rewards into the reward wallet, up to 1,000 in one call. */
export async function payRewards(
  operator: Operator,
  userId: number,
  rewards: readonly Reward[],
): Promise<void> {
  const transfers = rewards.map((reward) => ({
    debit: { house: 'reward_pool' },
    credit: { user_id: userId, wallet: 'bonus' },
    currency: 'EDGE',
    business_id: 'reward',
    ...reward,
  }));
  const { results } = await operate<{ results: { status: string; detail?: string }[] }>(
    operator,
    '/operator/transfers',
    { transfers },
  );
  const refused = results.find((result) => result.status !== 'posted');
  if (refused) throw new Error(`a reward was refused: ${refused.detail}`);
}

/** Debits more than the balance of the asset wallet, as a correction may. */
export async function takeBack(operator: Operator, userId: number, amount: string): Promise<void> {
  const debit = { user_id: userId, wallet: 'asset' };
  const transfer = {
    debit,
    credit: { house: 'adjustment' },
    currency: 'USDT',
    business_id: 'adjustment',
    amount,
    may_overdraw: true,
  };
  const { results } = await operate<{ results: { status: string; detail?: string }[] }>(
    operator,
    '/operator/transfers',
    { transfers: [transfer] },
  );
  if (results[0]?.status !== 'posted')
    throw new Error(`a correction was refused: ${results[0]?.detail}`);
}

export async function setPrice(operator: Operator, currency: string, price: string): Promise<void> {
  await operate(operator, '/operator/prices', { currency, quote_currency: 'USDT', price });
}

/** The decision of an operator about a deposit that is not credited yet. */
export async function decideDeposit(
  operator: Operator,
  id: number | undefined,
  decision: 'hold' | 'reject',
  reason?: string,
): Promise<void> {
  await operate(operator, `/operator/deposits/${id}/${decision}`, {
    ...(reason !== undefined && { reason }),
  });
}

export async function registerClient(
  operator: Operator,
  client: Readonly<Record<string, unknown>>,
): Promise<void> {
  await expectOk(`${operator.baseUrl}/operator/clients`, { token: operator.token, body: client });
}

export async function buyPackage(
  operator: Operator,
  userId: number,
  amount: string,
): Promise<void> {
  await operate(operator, '/operator/purchases', {
    user_id: userId,
    amount,
    reference: `order-${userId}`,
    external: true,
  });
}

export interface SeededDevice {
  readonly nodeId: string;
  readonly token: string;
}

/** A device requests authorisation. @returns its user code */
export async function beginDevice(baseUrl: string): Promise<string> {
  const body = new URLSearchParams({ client_id: 'edge-terminal', scope: 'openid device:connect' });
  const begun = await fetch(`${baseUrl}/oauth2/device_authorization`, { method: 'POST', body });
  return ((await begun.json()) as { user_code: string }).user_code;
}

interface DeviceFacts {
  readonly device_type: 'TERMINAL' | 'EXTENSION';
  readonly browser: string;
  readonly os: string;
}

/** Brings a device online, with the categories that it requested. */
export async function addDevice(
  baseUrl: string,
  accessToken: string,
  facts: DeviceFacts,
): Promise<SeededDevice> {
  const nodeId = `node-${randomUUID().slice(0, 13)}`;
  const { device_token: token } = await expectOk<{ device_token: string }>(
    `${baseUrl}/oauth2/authorize`,
    {
      headers: PHONE,
      body: {
        access_token: accessToken,
        client_id: 'edge-console',
        node_id: nodeId,
        scope: 'device:connect devices:read',
      },
    },
  );
  const body = {
    extension_version: '1.4.2',
    timezone: 'Europe/Berlin',
    capabilities: ['bandwidth'],
    requested_categories: ['web'],
    ...facts,
  };
  await expectOk(`${baseUrl}/me/devices/${nodeId}`, { method: 'PUT', token, body });
  await expectOk(`${baseUrl}/me/devices/${nodeId}`, {
    method: 'PATCH',
    token: accessToken,
    body: { granted_categories: ['web'] },
  });
  await beat(baseUrl, { nodeId, token });
  return { nodeId, token };
}

export async function beat(baseUrl: string, { nodeId, token }: SeededDevice): Promise<void> {
  await expectOk(`${baseUrl}/me/devices/${nodeId}/heartbeat`, { method: 'POST', token, body: {} });
}

const DAY_MS = 86_400_000;

/** A relay sends two reports about a device: a malformed one, and one that is weeks late. */
export async function misreport({ baseUrl, token }: Operator, nodeId: string): Promise<void> {
  const minuteAt = (end_ms: number) => ({
    from: new Date(end_ms - 60_000).toISOString(),
    to: new Date(end_ms).toISOString(),
  });
  const common = { node_id: nodeId, bytes_down: 1 };
  const unreadable = { ...common, report_id: randomUUID(), bytes_up: 0.5, ...minuteAt(Date.now()) };
  const late = {
    ...common,
    report_id: randomUUID(),
    bytes_up: 1,
    ...minuteAt(Date.now() - 20 * DAY_MS),
  };
  await expectOk(`${baseUrl}/operator/traffic-reports`, {
    token,
    body: { reports: [unreadable, late] },
  });
}

/** A relay measures a device that was added some seconds ago. */
export async function reportTraffic(
  { baseUrl, token }: Operator,
  nodeId: string,
  [bytes_up, bytes_down]: readonly [number, number],
): Promise<void> {
  const [from, to] = [4000, 1000].map((before_ms) => new Date(Date.now() - before_ms));
  const report = { report_id: randomUUID(), node_id: nodeId, bytes_up, bytes_down, from, to };
  const { results } = await expectOk<{ results: { status: string; reason?: string }[] }>(
    `${baseUrl}/operator/traffic-reports`,
    { token, body: { reports: [report] } },
  );
  if (results[0]?.status !== 'accepted') throw new Error(results[0]?.reason);
}

/** Earnings by day, with the same figures each time, so that pictures can be compared. */
export function dailyRewards(now_ms: number, nodeIds: readonly string[], days: number): Reward[] {
  return Array.from({ length: days }, (_, day): Reward[] => {
    const event_at = new Date(now_ms - day * DAY_MS - 60_000).toISOString();
    const wave = 40 + ((day * 37) % 23);
    const node = nodeIds[day % Math.max(nodeIds.length, 1)];
    const of = node === undefined ? {} : { node_id: node };
    return [
      // Fractions like those of rules: the share of an hour uses all decimals.
      {
        amount: `${wave}.${String((day * 7919) % 1_000_000).padStart(6, '0')}416666666667`,
        reward_type: 'UPTIME',
        event_at,
        ...of,
      },
      { amount: `${(wave % 17) + 2}.25`, reward_type: 'TRAFFIC', event_at, ...of },
      ...(day % 5 === 0 ? [{ amount: '12.5', reward_type: 'BONUS', event_at }] : []),
    ];
  }).flat();
}
