/** The whole service with two routes that do nothing: one guarded, one open. */
import type { AddressInfo } from 'node:net';
import { createApp } from '../../service/src/app.ts';
import { migrate, openServer, transaction } from '../../service/src/db/index.ts';
import { openAccounts } from '../../service/src/ledger/index.ts';
import { testConfig, testMasterKey } from '../../service/test/support/test-config.ts';
import { insertUser } from '../../service/test/support/test-users.ts';
import { createTestTokens } from '../../service/test/support/tokens.ts';

const COLD_TOKENS = 10_000;

export interface GuardServer {
  readonly guardedUrl: string;
  readonly openUrl: string;
  readonly accountUrl: string;
  /** Processor time of the server so far. */
  readonly cpuUrl: string;
  readonly token: string;
  readonly coldTokens: readonly string[];
}

const [databaseUrl = ''] = process.argv.slice(2);
const database = await openServer({ url: databaseUrl, poolSize: 10, onError: () => {} });
await migrate(database);
const config = testConfig();
const app = await createApp({ config, database, masterKey: testMasterKey });
app.http.get('/bench/open', { config: { access: 'open' } }, async () => ({ ok: true }));
app.http.get('/bench/cpu', { config: { access: 'open' } }, async () => {
  const { user, system } = process.cpuUsage();
  return { cpu_us: user + system };
});
app.http.get('/bench/guarded', { config: { access: { scopes: ['account:read'] } } }, async () => ({
  ok: true,
}));
await app.start();
await app.http.listen({ host: '127.0.0.1', port: 0 });

const userId = await insertUser(database);
await transaction(database, (tx) => openAccounts(tx, userId));
const tokens = createTestTokens(database, { config });
const coldTokens: string[] = [];
for (let i = 0; i < COLD_TOKENS; i++) coldTokens.push(await tokens.person(userId));
const base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
const ready: GuardServer = {
  guardedUrl: `${base}/bench/guarded`,
  openUrl: `${base}/bench/open`,
  accountUrl: `${base}/account/info`,
  cpuUrl: `${base}/bench/cpu`,
  token: (await tokens.login(userId)).accessToken,
  coldTokens,
};
console.log(JSON.stringify(ready));

process.once('SIGTERM', async () => {
  await app.stop();
  await database.close();
  process.exit(0);
});
