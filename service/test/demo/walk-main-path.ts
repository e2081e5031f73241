/**
 * The main path as a program, over HTTP against a running service: a person signs up and in, a standard client gets
 * tokens through a real browser, a device comes online and is cut off, a reward arrives and is seen to the last
 * decimal, and a SIGKILL loses nothing. `npm run demo` prints it; the end-to-end test runs the very same code.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { getStandardTokens } from './get-standard-tokens.ts';
import { call, expectOk, readCode } from './http-client.ts';
import { makeDeposit } from './make-deposit.ts';
import { verifyToken } from './verify-token.ts';

export interface WalkOptions {
  readonly baseUrl: string;
  readonly operator: { readonly client_id: string; readonly client_secret: string };
  readonly browser: Browser;
  /** Kills the service with SIGKILL and starts it again. */
  restart(): Promise<void>;
  print(line: string): void;
}

/** What the walk saw; the test asserts on it, the demo prints it. */
export interface WalkReport {
  readonly userId: number;
  readonly deviceStatuses: readonly string[];
  readonly statusAfterCut: number;
  /** What the deposit was, block by block. */
  readonly depositStatuses: readonly string[];
  readonly rewardAmount: string;
  readonly bonusInfo: string;
  readonly bonusBills: string;
  readonly overview: string;
  readonly networkRewards: string;
  /** The same four answers after the SIGKILL; equal means that nothing was lost. */
  readonly isSameAfterKill: boolean;
  readonly standardClaims: Readonly<Record<string, unknown>>;
}

const REWARD_AMOUNT = '1234567.000000000000000001';

interface Person {
  readonly email: string;
  readonly password: string;
  readonly passwordHash: string;
}

function newPerson(): Person {
  const password = `correct horse ${randomUUID()}`;
  return {
    email: `ada.${randomUUID().slice(0, 8)}@example.test`,
    password,
    passwordHash: createHash('md5').update(password).digest('hex'),
  };
}

async function register(options: WalkOptions, person: Person): Promise<number> {
  const { baseUrl, print } = options;
  const pending = await expectOk<{ register_ticket: string }>(`${baseUrl}/user/register`, {
    body: { email: person.email, login_password: person.passwordHash, nickname: 'Ada' },
  });
  const code = await readCode(baseUrl, person.email);
  print(`   the code ${code} came by mail`);
  const user = await expectOk<{ user_id: number; referral_code: string }>(
    `${baseUrl}/user/register/verify`,
    {
      body: { email: person.email, register_ticket: pending.register_ticket, validate_code: code },
    },
  );
  print(`   registered as user ${user.user_id}, referral code ${user.referral_code}`);
  return user.user_id;
}

interface UserDetails {
  readonly access_token: string;
  readonly device_token: string;
  readonly expire: number;
  readonly email: string;
}

async function signIn(options: WalkOptions, person: Person): Promise<UserDetails> {
  const { baseUrl, print } = options;
  const login = await expectOk<{
    login_ticket: string;
    need_two_factor: boolean;
    two_factor_methods: string[];
  }>(`${baseUrl}/user/login-with-password`, {
    body: { email: person.email, login_password: person.passwordHash },
  });
  print(
    `   second factor needed: ${login.need_two_factor}, by ${login.two_factor_methods.join(', ')}`,
  );
  const details = await expectOk<UserDetails>(`${baseUrl}/user/login/2fa`, {
    body: {
      email: person.email,
      login_ticket: login.login_ticket,
      method: 'EMAIL',
      validate_code: await readCode(baseUrl, person.email),
    },
  });
  const claims = await verifyToken(baseUrl, details.access_token);
  await verifyToken(baseUrl, details.device_token);
  print(
    `   signed in until ${new Date(details.expire * 1000).toISOString()}; both tokens verify with the published keys (sub ${claims.sub})`,
  );
  return details;
}

async function runDevice(
  options: WalkOptions,
  person: UserDetails,
  deviceToken: string,
): Promise<Pick<WalkReport, 'deviceStatuses' | 'statusAfterCut'>> {
  const { baseUrl, print } = options;
  const nodeId = `demo-${randomUUID()}`;
  const device = `${baseUrl}/me/devices/${nodeId}`;
  const statuses: string[] = [];
  async function look(): Promise<void> {
    const { devices } = await expectOk<{ devices: { node_id: string; status: string }[] }>(
      `${baseUrl}/me/devices`,
      { token: person.access_token },
    );
    const status = devices.find((candidate) => candidate.node_id === nodeId)?.status ?? 'absent';
    statuses.push(status);
    print(`   GET /me/devices shows it ${status}`);
  }
  const facts = {
    device_type: 'TERMINAL',
    browser: 'demo terminal',
    extension_version: '1.0.0',
    os: process.platform,
    timezone: 'UTC',
    capabilities: ['bandwidth'],
    requested_categories: [],
  };
  await expectOk(device, { method: 'PUT', token: deviceToken, body: facts });
  await look();
  await expectOk(`${device}/heartbeat`, { method: 'POST', token: deviceToken, body: {} });
  await look();
  await expectOk(`${device}/disconnect`, { method: 'POST', token: person.access_token, body: {} });
  await look();
  const { status: statusAfterCut, text } = await call(`${device}/heartbeat`, {
    method: 'POST',
    token: deviceToken,
    body: {},
  });
  print(
    `   its token no longer works: ${statusAfterCut} ${(JSON.parse(text) as { code: string }).code}`,
  );
  return { deviceStatuses: statuses, statusAfterCut };
}

async function getOperatorToken({ baseUrl, operator, print }: WalkOptions): Promise<string> {
  const basic = Buffer.from(`${operator.client_id}:${operator.client_secret}`).toString('base64');
  const response = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token, scope } = (await response.json()) as {
    access_token: string;
    scope: string;
  };
  print(`   the operator's client got a token for ${scope.split(' ').length} scopes`);
  return token;
}

async function postReward(
  { baseUrl, print }: WalkOptions,
  token: string,
  userId: number,
): Promise<void> {
  const body = {
    user_id: userId,
    currency: 'EDGE',
    amount: REWARD_AMOUNT,
    reward_type: 'UPTIME',
    remark: 'a good hour',
  };
  const headers = { 'idempotency-key': randomUUID() };
  const first = await call(`${baseUrl}/operator/rewards`, { token, body, headers });
  const again = await call(`${baseUrl}/operator/rewards`, { token, body, headers });
  if (first.status !== 200 || again.text !== first.text)
    throw new Error(
      `the reward was answered ${first.status} ${first.text}, then ${again.status} ${again.text}`,
    );
  const other = await call(`${baseUrl}/operator/rewards`, {
    token,
    body: { ...body, amount: '1' },
    headers,
  });
  print(
    `   posted ${REWARD_AMOUNT} EDGE; the same request again: same answer; another body under its key: ${other.status}`,
  );
}

type Views = Pick<WalkReport, 'bonusInfo' | 'bonusBills' | 'overview' | 'networkRewards'>;

async function readViews(baseUrl: string, token: string): Promise<Views> {
  const read = async (path: string): Promise<string> => {
    const reply = await call(`${baseUrl}${path}`, { token });
    if (reply.status !== 200) throw new Error(`GET ${path} answered ${reply.status} ${reply.text}`);
    return reply.text;
  };
  return {
    bonusInfo: await read('/bonus-account/info'),
    bonusBills: await read('/bonus-account/bills?current=1&size=20'),
    overview: await read('/dashboard/overview'),
    networkRewards: await read('/dashboard/network-rewards'),
  };
}

/** Walks the whole path. @throws when any step does not do what it should */
export async function walkMainPath(options: WalkOptions): Promise<WalkReport> {
  const { baseUrl, print } = options;
  const person = newPerson();
  print('1. A person registers and proves the address');
  const userId = await register(options, person);
  print('2. signs in with password and second factor');
  const details = await signIn(options, person);
  print(
    '3. A standard client (openid-client) gets tokens: discovery, PKCE, sign-in and consent in a real browser',
  );
  const standard = await getStandardTokens(options, person);
  print('4. A device comes online and is cut off');
  const device = await runDevice(options, details, standard.deviceToken);
  print('5. The operator posts a reward');
  const operatorToken = await getOperatorToken(options);
  await postReward(options, operatorToken, userId);
  print('6. A deposit arrives from a local chain');
  const depositStatuses = await makeDeposit({
    baseUrl,
    operatorToken,
    token: details.access_token,
    print,
  });
  print('7. The person sees it all');
  const views = await readViews(baseUrl, details.access_token);
  for (const [name, text] of Object.entries(views))
    print(`   ${name.padEnd(14)} ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`);
  print('8. The service is killed with SIGKILL and started again');
  await options.restart();
  await verifyToken(baseUrl, details.access_token);
  const after = await readViews(baseUrl, details.access_token);
  const isSameAfterKill = JSON.stringify(after) === JSON.stringify(views);
  print(`   tokens still verify; every answer is ${isSameAfterKill ? 'the same' : 'DIFFERENT'}`);
  return {
    userId,
    ...device,
    depositStatuses,
    rewardAmount: REWARD_AMOUNT,
    ...views,
    isSameAfterKill,
    standardClaims: standard.claims,
  };
}
