/**
 * Programs against registration: 10,000 requests in an hour from 200 networks, by an attacker who
 * reads the mail of six domains and four mailboxes, and solves every challenge at once. What it
 * gets is bounded by its mail, not by its computers.
 */
import type { Challenge } from 'altcha-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../src/db/index.ts';
import { createRandom } from './support/chains/random.ts';
import { openTestDatabase } from './support/databases.ts';
import { createIdentityServer, type IdentityServer, md5 } from './support/identity-server.ts';
import { sized } from './support/scale.ts';
import { solve } from './support/solve-challenge.ts';
import { testConfig } from './support/test-config.ts';

const HOUR_MS = 3_600_000;
const NETWORKS = 200;
const PEOPLE = 60;
const attempts = sized({ quick: 1000, full: 10_000, soak: 10_000 });
const ATTACK_TIMEOUT_MS = 900_000;

interface Caller {
  readonly at_ms: number;
  readonly ip: string;
  readonly email: string;
  readonly isPerson: boolean;
}

interface Outcome {
  readonly isAccount: boolean;
  readonly asked: number;
}

const random = createRandom(24);
const pick = (bound: number): number => random.below(bound);

function attackerAddress(serial: number): string {
  const kind = pick(11);
  if (kind < 6) return `u${serial}@x${pick(1000)}.catch-all-${kind}.example`;
  if (kind === 10) return `u${serial}@mailinator.com`;
  const dots = [...`mailbox${kind}`].map((letter) => (pick(2) === 0 ? `${letter}.` : letter));
  return `${dots.join('').replace(/\.$/, '')}+${serial}@gmail.com`;
}

/** Half of them IPv4; every address of a network is used. */
function attackerIp(): string {
  const network = pick(NETWORKS);
  return network % 2 === 0
    ? `100.70.${network}.${1 + pick(250)}`
    : `2001:db8:${network}:${pick(65_536).toString(16)}::1`;
}

/** A household of three now and then, companies, and the mailboxes of large providers. */
function personAt(serial: number): Caller {
  const household = serial % 6 < 3 ? serial - (serial % 3) : serial;
  const domain = ['gmail.com', 'outlook.com', 'qq.com', `company${serial}.example`][serial % 4];
  return {
    at_ms: pick(HOUR_MS),
    ip: `192.0.${household}.9`,
    email: `person.number${serial}@${domain}`,
    isPerson: true,
  };
}

function callers(): Caller[] {
  const attack = Array.from({ length: attempts }, (_, serial) => ({
    at_ms: Math.floor((serial * HOUR_MS) / attempts),
    ip: attackerIp(),
    email: attackerAddress(serial),
    isPerson: false,
  }));
  const people = Array.from({ length: PEOPLE }, (_, serial) => personAt(serial));
  return [...attack, ...people].sort((a, b) => a.at_ms - b.at_ms);
}

/** Registers, solves what is asked, and verifies the address. */
async function tryToRegister(server: IdentityServer, { ip, email }: Caller): Promise<Outcome> {
  const post = (url: string, payload: Record<string, unknown>, headers = {}) =>
    server.http.inject({ method: 'POST', url, payload, remoteAddress: ip, headers });
  const body = { email, login_password: md5(`a long password of ${email}`), nickname: 'Caller' };
  let answer = await post('/user/register', body);
  let asked = 0;
  while (answer.statusCode === 403 && asked < 3) {
    asked++;
    const solution = await solve(answer.json<{ challenge: Challenge }>().challenge);
    answer = await post('/user/register', body, { 'challenge-solution': solution });
  }
  if (answer.statusCode !== 202) return { isAccount: false, asked };
  const verified = await post('/user/register/verify', {
    email,
    register_ticket: answer.json<{ register_ticket: string }>().register_ticket,
    validate_code: await server.codeTo(email),
  });
  return { isAccount: verified.statusCode === 200, asked };
}

let database: Database;
let server: IdentityServer;
beforeAll(async () => {
  database = await openTestDatabase('server');
  server = createIdentityServer(database, { config: testConfig(), challengeIterations: 1 });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

test(
  'an attacker gets fewer than 50 accounts, and people are asked at most once',
  async () => {
    // Not at the beginning of an hour.
    server.clock.advance(17 * 60_000);
    const attack: Outcome[] = [];
    const people: Outcome[] = [];
    let now_ms = 0;
    for (const caller of callers()) {
      server.clock.advance(caller.at_ms - now_ms);
      now_ms = caller.at_ms;
      (caller.isPerson ? people : attack).push(await tryToRegister(server, caller));
    }
    expect(attack).toHaveLength(attempts);
    expect(attack.filter(({ isAccount }) => isAccount).length).toBeLessThan(50);
    expect(people.filter(({ isAccount }) => isAccount)).toHaveLength(PEOPLE);
    expect(Math.max(...people.map(({ asked }) => asked))).toBe(1);
  },
  ATTACK_TIMEOUT_MS,
);
