/**
 * An instance that freezes (a virtual machine that is moved, SIGSTOP) while it records a refusal
 * holds all shards of the ledger. Others are answered all the while, and post again soon.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openServer, transaction } from '../../src/db/index.ts';
import { installLedger, verifyLedger } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createMasterKey } from '../../src/master-key.ts';
import { createClient } from '../../src/oidc/index.ts';
import { createServerDatabase } from '../support/databases.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { insertUser } from '../support/test-users.ts';

const KEY = Buffer.alloc(32, 9);
const SECRET = 's'.repeat(43);
const UNKNOWN = 999_999;

let database: Database;
let refusing: ServiceProcess;
let posting: ServiceProcess;
let headers: Record<string, string>;
let user: number;

beforeAll(async () => {
  const url = await createServerDatabase();
  const ports = [await findFreePort(), await findFreePort()];
  const env = {
    DATABASE_URL: url,
    MASTER_KEY: KEY.toString('hex'),
    BASE_URL: `http://localhost:${ports[0]}`,
    LOG_LEVEL: 'silent',
  };
  refusing = await startService({ ...env, PORT: String(ports[0]) });
  posting = await startService({ ...env, PORT: String(ports[1]) });
  database = await openServer({ url, poolSize: 4, onError: () => {} });
  installLedger(database, { clock: systemClock, masterKey: createMasterKey(KEY) });
  user = await insertUser(database);
  const { client } = await createClient(database, systemClock, {
    name: 'Server',
    isPublic: false,
    isFirstParty: false,
    secret: SECRET,
    redirectUris: [],
    scopes: ['operator:rewards'],
    grantTypes: ['client_credentials'],
  });
  const answer = await fetch(`${env.BASE_URL}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.clientId}:${SECRET}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
});
afterAll(async () => {
  await refusing.dispose();
  await posting.dispose();
  await database.close();
});

const send = ({ env }: ServiceProcess, key: string, userId: number) =>
  fetch(`http://localhost:${env.PORT}/operator/rewards`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': key },
    body: JSON.stringify({ user_id: userId, currency: 'EDGE', amount: '1', reward_type: 'BONUS' }),
  });

/** Whether one transaction holds all shards: no other posts. */
const areAllHeld = () =>
  transaction(database, async (tx) => {
    const { rowCount } = await tx.query('select from ledger_shard for no key update skip locked');
    return rowCount === 0;
  });

/** Refuses without end until the process is stopped in the middle of it. */
async function freezeWithAllShards(): Promise<Promise<unknown>[]> {
  const sent: Promise<unknown>[] = [];
  const pid = refusing.pid;
  for (let n = 0; ; n++) {
    sent.push(send(refusing, `refused-${n}`, UNKNOWN).catch(() => undefined));
    await wait(Math.random() * 4);
    process.kill(pid, 'SIGSTOP');
    await wait(20);
    if (await areAllHeld()) return sent;
    process.kill(pid, 'SIGCONT');
  }
}

test('others are answered, and post again while the instance is still frozen', async () => {
  const sent = await freezeWithAllShards();
  for (let n = 0; ; n++) {
    const answer = await send(posting, `posted-${n}`, user);
    await answer.text();
    if (answer.status === 200) break;
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    // PostgreSQL ends it after two seconds, and an answer takes about as long.
    expect(n).toBeLessThan(3);
  }
  process.kill(refusing.pid, 'SIGCONT');
  await Promise.all(sent);
  // The frozen transaction is gone; its key is free, and refused when it is sent again.
  for (let n = 0; n < sent.length; n++) {
    const again = await send(refusing, `refused-${n}`, UNKNOWN);
    expect(again.status).toBe(404);
  }
  expect((await verifyLedger(database)).findings).toEqual([]);
});
