/**
 * The main path as a program, over HTTP against a running service: a user registers and signs in, a
 * standard client gets tokens through a real browser, a device comes online and is revoked, a
 * reward is credited with exact decimals, a SIGKILL loses nothing, and a payout arrives on the
 * local chain. `npm run demo` prints it; the end-to-end test runs the same code.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { type DemoChain, startDemoChain } from '../support/chains/demo-chain.ts';
import { getStandardTokens } from './get-standard-tokens.ts';
import { call, expectOk, readCode } from './http-client.ts';
import { makeDeposit } from './make-deposit.ts';
import { makePayout } from './make-payout.ts';
import { getOperatorToken, postReward, REWARD_AMOUNT } from './post-reward.ts';
import { verifyToken } from './verify-token.ts';

export interface WalkOptions {
  readonly baseUrl: string;
  readonly operator: { readonly client_id: string; readonly client_secret: string };
  readonly browser: Browser;
  /** Kills the service with SIGKILL and starts it again. */
  restart(): Promise<void>;
  /** Stops the service, ends the quarantine of payout addresses, and starts it again. */
  passADay(): Promise<void>;
  print(line: string): void;
}

/** The results; the test asserts on them, the demo prints them. */
export interface WalkReport {
  readonly userId: number;
  readonly deviceStatuses: readonly string[];
  readonly statusAfterCut: number;
  /** Statuses of the deposit, block by block. */
  readonly depositStatuses: readonly string[];
  readonly payoutStatuses: readonly string[];
  readonly rewardAmount: string;
  readonly bonusInfo: string;
  readonly bonusBills: string;
  readonly overview: string;
  readonly networkRewards: string;
  /** The same four responses after the SIGKILL, but for the sums of single days. */
  readonly isSameAfterKill: boolean;
  readonly standardClaims: Readonly<Record<string, unknown>>;
}

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
    `   signed in until ${new Date(details.expire * 1000).toISOString()}; ` +
      `both tokens verify with the published keys (sub ${claims.sub})`,
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
  const { code } = JSON.parse(text) as { code: string };
  print(`   its token is refused: ${statusAfterCut} ${code}`);
  return { deviceStatuses: statuses, statusAfterCut };
}

type Views = Pick<WalkReport, 'bonusInfo' | 'bonusBills' | 'overview' | 'networkRewards'>;

async function readViews(baseUrl: string, token: string): Promise<Views> {
  const read = async (path: string): Promise<string> => {
    const reply = await call(`${baseUrl}${path}`, { token });
    if (reply.status !== 200) throw new Error(`GET ${path} returned ${reply.status} ${reply.text}`);
    return reply.text;
  };
  return {
    bonusInfo: await read('/bonus-account/info'),
    bonusBills: await read('/bonus-account/bills?current=1&size=20'),
    overview: await read('/dashboard/overview'),
    networkRewards: await read('/dashboard/network-rewards'),
  };
}

/** The sums of single days are other ones when a new day has begun. */
function withoutDays({ overview, ...views }: Views): Views {
  return {
    ...views,
    overview: overview.replaceAll(/"(today|yesterday)_earnings":\[[^\]]*\]/g, ''),
  };
}

/** Whether nothing was lost or added between two reads. */
export function hasSameMoney(before: Views, after: Views): boolean {
  return JSON.stringify(withoutDays(before)) === JSON.stringify(withoutDays(after));
}

interface Money {
  readonly userId: number;
  readonly details: UserDetails;
  readonly chain: DemoChain;
}

/** From the reward to the kill: what was earned and deposited is there after it. */
async function receiveMoney(options: WalkOptions, { userId, details, chain }: Money) {
  const { baseUrl, print } = options;
  const token = details.access_token;
  print('5. The operator posts a reward');
  const operatorToken = await getOperatorToken(options);
  await postReward(options, operatorToken, userId);
  print('6. A deposit arrives from a local chain');
  const depositStatuses = await makeDeposit({ baseUrl, operatorToken, token, chain, print });
  print('7. The user reads wallet and dashboard');
  const views = await readViews(baseUrl, token);
  for (const [name, text] of Object.entries(views))
    print(`   ${name.padEnd(14)} ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`);
  print('8. The service is killed with SIGKILL and started again');
  await options.restart();
  await verifyToken(baseUrl, token);
  const after = await readViews(baseUrl, token);
  const isSameAfterKill = hasSameMoney(views, after);
  print(`   tokens still verify; every response is ${isSameAfterKill ? 'the same' : 'DIFFERENT'}`);
  return { operatorToken, depositStatuses, views, isSameAfterKill };
}

/** Runs the whole path. @throws if a step fails */
export async function walkMainPath(options: WalkOptions): Promise<WalkReport> {
  const { baseUrl, print, passADay } = options;
  const person = newPerson();
  print('1. A user registers and verifies the address');
  const userId = await register(options, person);
  print('2. The user signs in with password and second factor');
  const details = await signIn(options, person);
  print(
    '3. A standard client (openid-client) gets tokens: ' +
      'discovery, PKCE, sign-in and consent in a real browser',
  );
  const standard = await getStandardTokens(options, person);
  print('4. A device comes online and is revoked');
  const device = await runDevice(options, details, standard.deviceToken);
  const chain = await startDemoChain();
  try {
    const { operatorToken, views, ...received } = await receiveMoney(options, {
      ...{ userId, details, chain },
    });
    print('9. A payout leaves for an address on the local chain');
    const payoutStatuses = await makePayout({
      ...{ baseUrl, operatorToken, token: details.access_token, chain, passADay, print },
      passwordHash: person.passwordHash,
    });
    return {
      ...{ userId, payoutStatuses, rewardAmount: REWARD_AMOUNT },
      ...{ ...device, ...received, ...views },
      standardClaims: standard.claims,
    };
  } finally {
    await chain.stop();
  }
}
