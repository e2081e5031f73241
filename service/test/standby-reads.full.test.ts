/**
 * Reads from a standby: no user misses what was written before, whatever happens to the standby.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followPrimary, promote } from '../../drills/support/replicas.ts';
import { readEntries } from '../src/audit/index.ts';
import { runInReadScope } from '../src/db/index.ts';
import { OPERATOR_SCOPES } from '../src/oidc/index.ts';
import { readGetSources } from './support/read-sources.ts';
import { runCommandHere } from './support/run-command.ts';
import {
  applicationUrl,
  openStandbyLab,
  type ReplicaInstance,
  type StandbyLab,
  startInstance,
} from './support/standby-lab.ts';
import { testMasterKeyBytes } from './support/test-config.ts';
import { insertUser } from './support/test-users.ts';

const ROUNDS = 300;

let lab: StandbyLab;
let first: ReplicaInstance;
let second: ReplicaInstance;
let operator: string;

beforeAll(async () => {
  lab = await openStandbyLab();
  const ports = { primary: lab.primary.port, standby: lab.line.port };
  first = await startInstance(ports);
  second = await startInstance(ports, { BASE_URL: first.service.baseUrl });
  operator = await first.service.tokens.operator(...OPERATOR_SCOPES);
}, 120_000);
afterAll(async () => {
  await first?.stop();
  await second?.stop();
  await lab?.close();
});

async function call(
  { address }: ReplicaInstance,
  path: string,
  { token, body }: { token: string; body?: object },
) {
  const response = await fetch(`${address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** Pays a minor unit of the reward wallet, as a business server does. */
async function pay(at: ReplicaInstance, userId: number, key: string): Promise<void> {
  const response = await fetch(`${at.address}/operator/rewards`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${operator}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ user_id: userId, currency: 'EDGE', amount: '1', reward_type: 'BONUS' }),
  });
  expect(response.status).toBe(200);
}

async function countBills(at: ReplicaInstance, token: string): Promise<number> {
  const { status, text } = await call(at, '/bonus-account/bills?current=1&size=1', { token });
  expect(status).toBe(200);
  return (JSON.parse(text) as { total: number }).total;
}

/** Runs `work` as the handler of a route that may read from the standby. */
function inScope<T>(work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = runInReadScope(() => {
      work()
        .then(resolve, reject)
        .finally(() => end());
    });
  });
}

async function readiness({ address }: ReplicaInstance) {
  const response = await fetch(`${address}/readyz`);
  return { status: response.status, ...((await response.json()) as object) };
}

test('the first look finds the standby, with the rights of an application role', async () => {
  // It may be behind at first; it needs no later change to be found.
  await expect.poll(() => first.replica.check()).toBe('ready');
  expect(await readiness(first)).toMatchObject({
    ...{ status: 'ok', reads_from: 'standby', standby: 'ready' },
  });
});

test('every GET that may read from the standby is answered there, and none writes', async () => {
  const userId = await insertUser(first.database, { operatorScopes: ['role:admin'] });
  const { accessToken } = await first.service.tokens.login(userId);
  await pay(first, userId, 'whole');
  const { standby } = await readGetSources(first.service.app.http);
  await Promise.all([first.replica.check(), first.database.query('select 1')]);
  const before = new Map(first.answered);
  const failed: string[] = [];
  for (const { name, url, operation } of standby) {
    const isOperators = operation.security[0]?.oauth2?.some((scope) => scope.includes('operator:'));
    const query = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .filter((parameter) => ['current', 'size'].includes(parameter.name))
      .map((parameter) => `${parameter.name}=1`);
    const path = `${url.replace(/\/1(?=\/|$)/, `/${userId}`)}?${query.join('&')}`;
    const { status, text } = await call(first, path, {
      token: isOperators ? operator : accessToken,
    });
    if (status >= 500) failed.push(`${name} ${status} ${text.slice(0, 200)}`);
  }
  expect(failed).toEqual([]);
  const since = [...first.answered].map(([by, count]) => [by, count - (before.get(by) ?? 0)]);
  expect(since.filter(([by, count]) => by !== 'standby' && count !== 0)).toEqual([]);
  expect(since[0]?.[1]).toBeGreaterThan(standby.length);
});

test('the audit log is read there, though a page of it takes a transaction', async () => {
  await first.replica.check();
  const before = first.answered.get('standby') ?? 0;
  await inScope(() => readEntries(first.database, {}, { size: 1 }));
  expect(first.answered.get('standby')).toBe(before + 1);
});

test('what one instance has written the other reads, also while the replay pauses', async () => {
  const userId = await insertUser(first.database);
  const { accessToken } = await first.service.tokens.login(userId);
  const missed: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const [writer, reader] = round % 2 === 0 ? [first, second] : [second, first];
    if (round % 50 === 20) await lab.onStandby('select pg_wal_replay_pause()');
    if (round % 50 === 30) {
      await lab.onStandby('select pg_wal_replay_resume()');
      await Promise.all([first.replica.check(), second.replica.check()]);
    }
    await pay(writer, userId, `r${round}`);
    if ((await countBills(reader, accessToken)) !== round) missed.push(round);
  }
  expect(missed).toEqual([]);
  for (const { answered } of [first, second]) {
    expect(answered.get('standby')).toBeGreaterThan(ROUNDS / 4);
    expect(answered.get('behind')).toBeGreaterThan(10);
  }
}, 120_000);

test('many people at once miss nothing either', async () => {
  const people = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const userId = await insertUser(first.database, { email: `many${n}@example.test` });
      return { userId, ...(await first.service.tokens.login(userId)) };
    }),
  );
  await Promise.all(
    people.map(async ({ userId, accessToken }, n) => {
      for (let round = 1; round <= 20; round++) {
        const [writer, reader] = (round + n) % 2 === 0 ? [first, second] : [second, first];
        await pay(writer, userId, `many-${n}-${round}`);
        expect(await countBills(reader, accessToken)).toBe(round);
      }
    }),
  );
}, 60_000);

test('a statement that the standby cancels for its replay is answered by the primary', async () => {
  await lab.onStandby('alter system set max_standby_streaming_delay = 0');
  await lab.onStandby('select pg_reload_conf()');
  await lab.onPrimary('create table conflict_of_replay as select generate_series(1, 1000) as n');
  await lab.onPrimary(`grant select on conflict_of_replay to public`);
  await first.replica.check();
  const before = first.answered.get('conflict') ?? 0;
  const reading = inScope(() =>
    first.database.query<{ n: number }>(
      `select count(*)::int as n from conflict_of_replay, lateral (
        select case when pg_is_in_recovery() and n = 1 then pg_sleep(60) end) waiting`,
    ),
  );
  for (;;) {
    const [row] = await lab.onStandby(
      `select count(*)::int as n from pg_stat_activity
        where query like '%lateral%waiting' and wait_event = 'PgSleep'`,
    );
    if (row?.n === 1) break;
  }
  await lab.onPrimary('delete from conflict_of_replay where n > 10');
  await lab.onPrimary('vacuum conflict_of_replay');
  expect((await reading).rows[0]?.n).toBe(10);
  expect(first.answered.get('conflict')).toBe(before + 1);
  await lab.onStandby('alter system reset max_standby_streaming_delay');
  await lab.onStandby('select pg_reload_conf()');
});

test('a schema that the standby does not have yet is read from the primary', async () => {
  await lab.onStandby('select pg_wal_replay_pause()');
  await lab.onPrimary('create table not_replayed as select 1 as n');
  await lab.onPrimary('grant select on not_replayed to public');
  const read = () =>
    inScope(() => first.database.query<{ n: number }>('select n from not_replayed'));
  expect((await read()).rows).toEqual([{ n: 1 }]);
  await lab.onStandby('select pg_wal_replay_resume()');
  expect(await first.replica.check()).toBe('ready');
  const before = first.answered.get('standby') ?? 0;
  expect((await read()).rows).toEqual([{ n: 1 }]);
  expect(first.answered.get('standby')).toBe(before + 1);
});

test('an error of the statement itself is the primary’s, too', async () => {
  await first.replica.check();
  await expect(inScope(() => first.database.query('select 1 / 0'))).rejects.toThrow('by zero');
  expect(await first.replica.check()).toBe('ready');
});

test('a standby that falls silent costs seconds once, and comes back by itself', async () => {
  const userId = await insertUser(first.database);
  const { accessToken } = await first.service.tokens.login(userId);
  expect(await countBills(first, accessToken)).toBe(0);
  lab.line.silence();
  await pay(second, userId, 'silent');
  expect(await countBills(first, accessToken)).toBe(1);
  expect(await first.replica.check()).toBe('unreachable');
  expect(await readiness(first)).toMatchObject({
    ...{ status: 'ok', reads_from: 'primary', standby: 'unreachable' },
  });
  lab.line.restore();
  expect(await first.replica.check()).toBe('ready');
}, 30_000);

test('a standby that is killed leaves its reads to the primary, and is used again', async () => {
  const userId = await insertUser(first.database);
  const { accessToken } = await first.service.tokens.login(userId);
  await lab.standby.kill();
  await pay(second, userId, 'killed');
  expect(await countBills(first, accessToken)).toBe(1);
  expect(await first.replica.check()).toBe('unreachable');
  await lab.standby.start({
    primary_conninfo: `host=127.0.0.1 port=${lab.primary.port} user=postgres`,
  });
  await pay(second, userId, 'restarted');
  const looks: string[] = [];
  do looks.push(await first.replica.check());
  while (looks.at(-1) !== 'ready');
  expect(await countBills(first, accessToken)).toBe(2);
}, 60_000);

test('verify reads a standby, and says how far it was', async () => {
  await second.replica.check();
  const env = {
    DATABASE_URL: applicationUrl(lab.standby.port),
    MASTER_KEY: testMasterKeyBytes.toString('hex'),
  };
  const run = await runCommandHere(['verify', '--from-genesis'], env);
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(/^a standby, which has replayed: what was committed until \d{4}-/);
  expect(run.stdout).toMatch(/from the first posting until \S+: everything agrees/);
  const json = JSON.parse((await runCommandHere(['verify', '--json'], env)).stdout) as object;
  expect(json).toMatchObject({ standby: { replayed_until: expect.stringMatching(/^\d{4}-/) } });
}, 60_000);

test('a standby that was promoted is not read, nor one that follows another history', async () => {
  const other = await followPrimary(lab.home, lab.primary, { name: 'other' });
  const userId = await insertUser(first.database);
  const { accessToken } = await first.service.tokens.login(userId);
  expect(await first.replica.check()).toBe('ready');
  await promote(lab.standby);
  // Of the old primary only: the promoted one lacks them, and the other standby has them.
  await pay(second, userId, 'lost');
  expect(await countBills(first, accessToken)).toBe(1);
  expect(await first.replica.check()).toBe('promoted');
  await lab.onPrimary(
    'create table written_by_the_old_primary as select generate_series(1, 50000)',
  );

  const third = await startInstance({ primary: lab.standby.port, standby: other.port });
  try {
    expect(await third.replica.check()).toBe('unrelated');
    expect((await inScope(() => third.database.query('select from earning_total'))).rows).toEqual(
      (await lab.onStandby('select from earning_total')) as unknown[],
    );
    expect(third.answered.get('unrelated')).toBe(1);
  } finally {
    await third.stop();
  }
}, 60_000);
