/** What happens to requests when the primary falls silent, or becomes read-only. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openServer, transaction } from '../src/db/index.ts';
import { endAllSessions } from '../src/identity/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { createServerDatabase, ownerUrl } from './support/databases.ts';
import { type RunningService, startService } from './support/running-service.ts';
import { openSilentLine, type SilentLine } from './support/silent-line.ts';
import { insertUser } from './support/test-users.ts';

let line: SilentLine;
let database: Database;
/** Another way to the same database: that of the new primary. */
let direct: Database;
let service: RunningService;

beforeAll(async () => {
  const url = new URL(await createServerDatabase());
  direct = await openServer({ url: ownerUrl(url.href), poolSize: 4, onError: () => {} });
  line = await openSilentLine({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${line.port}`;
  database = await openServer({ url: url.href, poolSize: 4, onError: () => {} });
  service = await startService(database, { env: { LOG_LEVEL: 'silent' } });
});
afterAll(async () => {
  await service.stop();
  await database?.close();
  await direct.close();
  await line.close();
});

const read = (path: string, token?: string) =>
  fetch(`${service.baseUrl}${path}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

function pay(userId: number, token: string, key: string): Promise<Response> {
  return fetch(`${service.baseUrl}/operator/rewards`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({
      user_id: userId,
      currency: 'EDGE',
      amount: '1',
      reward_type: 'BONUS',
    }),
  });
}

test('a silent primary is a 503, and no request waits for it after the failover', async () => {
  const userId = await insertUser(direct);
  const { accessToken } = await service.tokens.login(userId);
  const revokedId = await insertUser(direct);
  const revoked = await service.tokens.login(revokedId);
  const operator = await service.tokens.operator('operator:rewards');
  expect((await read('/account/info', accessToken)).status).toBe(200);
  expect((await pay(userId, operator, 'before')).status).toBe(200);

  line.silence();
  const during = await Promise.all([
    read('/account/info', accessToken),
    pay(userId, operator, 'during'),
    read('/readyz'),
    fetch(`${service.baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('unknown:secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    }),
  ]);
  expect(during.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  expect(await during[2].json()).toMatchObject({ reason: 'database_unreachable' });
  await transaction(direct, (tx) =>
    endAllSessions(tx, systemClock, { userId: revokedId, reason: 'password_changed' }),
  );

  line.restore();
  await expect.poll(async () => (await pay(userId, operator, 'after')).status).toBe(200);
  // Each connection of the pool finds out by itself, and until the last one has, some requests are
  // refused; none takes the revoked token.
  const answers: number[] = [];
  await expect
    .poll(async () => {
      answers.push((await read('/account/info', revoked.accessToken)).status);
      return answers.at(-1);
    })
    .toBe(401);
  expect(answers.filter((status) => status !== 401 && status !== 503)).toEqual([]);
  // The feed of revocations finds out by itself.
  await expect.poll(async () => (await read('/account/info', accessToken)).status).toBe(200);
  // The posting without an answer is repeated with its key, and took effect at most once.
  await expect.poll(async () => (await pay(userId, operator, 'during')).status).toBe(200);
  await expect
    .poll(async () => (await read('/bonus-account/info', accessToken)).json())
    .toMatchObject([{ currency: 'EDGE', balance: 3 }, {}, {}]);
  await expect.poll(async () => (await read('/readyz')).status).toBe(200);
});

test('a primary that became read-only is a 503 with its reason, until it is writable', async () => {
  const userId = await insertUser(direct);
  const operator = await service.tokens.operator('operator:rewards');
  const { rows } = await direct.query<{ name: string }>('select current_database() as name');
  const name = rows[0]?.name;
  const dropOthers = () =>
    direct.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and application_name like 'edge-account%'`,
    );
  await direct.query(`alter database ${name} set default_transaction_read_only = on`);
  await dropOthers();
  await expect
    .poll(async () => (await read('/readyz')).json())
    .toMatchObject({ status: 503, reason: 'database_read_only' });
  const refused = await pay(userId, operator, 'read-only');
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ reason: 'database_read_only' });
  await transaction(direct, async (tx) => {
    await tx.query('set local transaction_read_only = off');
    await tx.query(`alter database ${name} reset default_transaction_read_only`);
  });
  await expect.poll(async () => (await pay(userId, operator, 'read-only')).status).toBe(200);
  // Each connection of the pool finds out by itself, and so does the feed of revocations.
  await expect.poll(async () => (await read('/readyz')).status).toBe(200);
});
