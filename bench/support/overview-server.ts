/**
 * The whole service with two people, one of a hundred bills and one of a million, and beside it a
 * bare Fastify route on the same pool: one primary-key SELECT, no guard, no schema.
 */
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { createApp } from '../../service/src/app.ts';
import { type Database, migrate, openServer, transaction } from '../../service/src/db/index.ts';
import {
  BATCH_MAX,
  openAccounts,
  type Posting,
  postTransfers,
} from '../../service/src/ledger/index.ts';
import { insertDevice } from '../../service/test/support/network.ts';
import { testConfig, testMasterKey } from '../../service/test/support/test-config.ts';
import { insertUser } from '../../service/test/support/test-users.ts';
import { createTestTokens } from '../../service/test/support/tokens.ts';

export interface OverviewServer {
  readonly oursUrl: string;
  readonly bareUrl: string;
  readonly manyToken: string;
  readonly fewToken: string;
}

const DEVICES = 10;

const FIRST_DAY_MS = Date.UTC(2020, 0, 1);
const BILL_EVERY_MS = 180_000;
const CONCURRENCY = 4;

/**
 * A person with as many bills, two kinds from ten devices every few minutes, posted by the ledger
 * itself.
 */
async function addPerson(database: Database, bills: number): Promise<number> {
  const userId = await insertUser(database);
  await transaction(database, (tx) => openAccounts(tx, userId));
  const devices = await Promise.all(
    Array.from({ length: DEVICES }, () => insertDevice(database, userId)),
  );
  const toPosting = (n: number): Posting => ({
    idempotencyKey: `bench-${userId}-${n}`,
    debit: { house: 'reward_pool' },
    credit: { userId, wallet: 'bonus' },
    currency: 'EDGE',
    amount: 5n,
    businessId: 'reward',
    eventAt: new Date(FIRST_DAY_MS + n * BILL_EVERY_MS),
    rewardType: n % 2 === 0 ? 'UPTIME' : 'TRAFFIC',
    nodeId: devices[(n >> 1) % DEVICES]?.nodeId ?? '',
  });
  let next = 0;
  const post = async (): Promise<void> => {
    while (next < bills) {
      const first = next;
      next = Math.min(bills, next + BATCH_MAX);
      await postTransfers(
        database,
        Array.from({ length: next - first }, (_, i) => toPosting(first + i)),
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, post));
  return userId;
}

const [databaseUrl = '', bills = ''] = process.argv.slice(2);
const database = await openServer({ url: databaseUrl, poolSize: 10, onError: () => {} });
await migrate(database);
const config = testConfig();
const app = await createApp({ config, database, masterKey: testMasterKey });
await app.start();
await app.http.listen({ host: '127.0.0.1', port: 0 });

const few = await addPerson(database, 100);
const many = await addPerson(database, Number(bills));
await database.query('vacuum analyze');
const tokens = createTestTokens(database, { config });

const bare = fastify();
bare.get(
  '/bare',
  async () =>
    (
      await database.prepared(
        'bare',
        'select id, email, nickname, created_at from app_user where id = $1',
        [few],
      )
    ).rows[0],
);
await bare.listen({ host: '127.0.0.1', port: 0 });

const portOf = (server: { server: { address(): unknown } }): number =>
  (server.server.address() as AddressInfo).port;
const ready: OverviewServer = {
  oursUrl: `http://127.0.0.1:${portOf(app.http)}/dashboard/overview`,
  bareUrl: `http://127.0.0.1:${portOf(bare)}/bare`,
  manyToken: (await tokens.login(many)).accessToken,
  fewToken: (await tokens.login(few)).accessToken,
};
console.log(JSON.stringify(ready));

process.once('SIGTERM', async () => {
  await bare.close();
  await app.stop();
  await database.close();
  process.exit(0);
});
