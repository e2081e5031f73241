/**
 * The whole service, and beside it a bare Fastify route on the same pool: one primary-key SELECT,
 * no guard, no schema. Prints where both listen, and the tokens of people who hold every currency.
 */
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { createApp } from '../../service/src/app.ts';
import { migrate, openServer, transaction } from '../../service/src/db/index.ts';
import { openAccounts } from '../../service/src/ledger/index.ts';
import { testConfig, testMasterKey } from '../../service/test/support/test-config.ts';
import { insertUser } from '../../service/test/support/test-users.ts';
import { createTestTokens } from '../../service/test/support/tokens.ts';

/**
 * More distinct tokens than the verified-token cache may keep warm by accident in the cold round.
 */
const COLD_TOKENS = 20_000;

export interface AccountInfoServer {
  readonly oursUrl: string;
  readonly bareUrl: string;
  readonly warmToken: string;
  readonly coldTokens: readonly string[];
}

const [databaseUrl = ''] = process.argv.slice(2);
const database = await openServer({ url: databaseUrl, poolSize: 10, onError: () => {} });
await migrate(database);
const config = testConfig();
const app = await createApp({ config, database, masterKey: testMasterKey });
await app.start();
await app.http.listen({ host: '127.0.0.1', port: 0 });

const userId = await insertUser(database);
await transaction(database, (tx) => openAccounts(tx, userId));
const tokens = createTestTokens(database, { config });
const warmToken = (await tokens.login(userId)).accessToken;
const coldTokens: string[] = [];
for (let i = 0; i < COLD_TOKENS; i++) coldTokens.push(await tokens.person(userId));

const bare = fastify();
bare.get(
  '/bare',
  async () =>
    (
      await database.prepared(
        'bare',
        'select id, email, nickname, created_at from app_user where id = $1',
        [userId],
      )
    ).rows[0],
);
await bare.listen({ host: '127.0.0.1', port: 0 });

const portOf = (server: { server: { address(): unknown } }): number =>
  (server.server.address() as AddressInfo).port;
const ready: AccountInfoServer = {
  oursUrl: `http://127.0.0.1:${portOf(app.http)}/account/info`,
  bareUrl: `http://127.0.0.1:${portOf(bare)}/bare`,
  warmToken,
  coldTokens,
};
console.log(JSON.stringify(ready));

process.once('SIGTERM', async () => {
  await bare.close();
  await app.stop();
  await database.close();
  process.exit(0);
});
