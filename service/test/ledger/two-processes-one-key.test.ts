/** Two processes of the service on one database: a key stands for one request in both. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openServer } from '../../src/db/index.ts';
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
/** Raced at the same time. */
const KEYS = 40;

let database: Database;
let nodes: ServiceProcess[];
let headers: Record<string, string>;
let user: number;

beforeAll(async () => {
  const url = await createServerDatabase();
  const ports = [await findFreePort(), await findFreePort()];
  const env = {
    DATABASE_URL: url,
    MASTER_KEY: KEY.toString('hex'),
    BASE_URL: `http://localhost:${ports[0]}`,
    LOG_LEVEL: 'error',
  };
  // The second one is started on a database that the first one has prepared.
  nodes = [];
  for (const port of ports) nodes.push(await startService({ ...env, PORT: String(port) }));
  database = await openServer({ url, poolSize: 2, onError: () => {} });
  installLedger(database, { clock: systemClock, masterKey: createMasterKey(KEY) });
  user = await insertUser(database);
  const { client } = await createClient(database, systemClock, {
    name: 'Server',
    isPublic: false,
    isFirstParty: false,
    secret: SECRET,
    redirectUris: [],
    scopes: ['operator:rewards', 'operator:transfers'],
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
  for (const node of nodes) await node.dispose();
  await database.close();
});

async function send(node: number, path: string, key: string, body: object) {
  const answer = await fetch(`http://localhost:${nodes[node]?.env.PORT}${path}`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

async function readCredits(): Promise<number> {
  const { rows } = await database.query<{ credits: string }>(
    'select coalesce(sum(credits), 0) as credits from account where user_id = $1',
    [user],
  );
  return Number(rows[0]?.credits);
}

const reward = (amount: number) => ({
  user_id: user,
  currency: 'USDT',
  amount,
  reward_type: 'BONUS',
});
const transfer = (amount: number) => ({
  transfers: [
    {
      debit: { house: 'adjustment' },
      credit: { user_id: user, wallet: 'asset' },
      currency: 'USDT',
      amount,
      business_id: 'adjustment',
    },
  ],
});

test.each([
  ['/operator/rewards', reward],
  ['/operator/transfers', transfer],
])(
  '%s: of two bodies under each of many keys one is posted, and one is 409',
  async (path, bodyOf) => {
    const before = await readCredits();
    const posted = await Promise.all(
      Array.from({ length: KEYS }, async (_, at) => {
        const key = `${path}-${at}`;
        const answers = await Promise.all([1, 2].map((n, i) => send(i, path, key, bodyOf(n))));
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
        const winner = answers.findIndex(({ status }) => status === 200);
        expect(answers[1 - winner]?.text).toContain('"idempotency_key_reused"');
        const again = await Promise.all([0, 1].map((i) => send(i, path, key, bodyOf(winner + 1))));
        for (const { text } of again) expect(text).toBe(answers[winner]?.text);
        return winner + 1;
      }),
    );
    const sum = posted.reduce((total, amount) => total + amount, 0);
    expect(await readCredits()).toBe(before + sum * 1e6);
    expect((await verifyLedger(database)).findings).toEqual([]);
  },
);
