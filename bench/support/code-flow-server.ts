/** The whole service with a client and a signed-in person. */
import { createApp } from '../../service/src/app.ts';
import { migrate, openServer } from '../../service/src/db/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { createClient } from '../../service/src/oidc/index.ts';
import { findFreePort } from '../../service/test/support/postgres-server.ts';
import { testConfig, testMasterKey } from '../../service/test/support/test-config.ts';
import { insertUser } from '../../service/test/support/test-users.ts';
import { createTestTokens } from '../../service/test/support/tokens.ts';

const PEOPLE = 50;

export interface CodeFlowServer {
  readonly baseUrl: string;
  readonly redirectUri: string;
  /** Access tokens of signed-in people. */
  readonly tokens: readonly string[];
}

const [databaseUrl = ''] = process.argv.slice(2);
const database = await openServer({ url: databaseUrl, poolSize: 10, onError: () => {} });
await migrate(database);
const port = await findFreePort();
const config = testConfig({ PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` });
const app = await createApp({ config, database, masterKey: testMasterKey });
app.http.get('/bench/cpu', { config: { access: 'open' } }, async () => {
  const { user, system } = process.cpuUsage();
  return { cpu_us: user + system };
});
await app.start();
await app.http.listen({ host: '127.0.0.1', port });
const redirectUri = 'https://app.example.test/callback';
await createClient(database, systemClock, {
  clientId: 'bench',
  name: 'Bench',
  isPublic: true,
  isFirstParty: false,
  redirectUris: [redirectUri],
  scopes: ['openid', 'account:read', 'device:connect'],
  grantTypes: ['authorization_code'],
});
const issuer = createTestTokens(database, { config });
const tokens: string[] = [];
for (let i = 0; i < PEOPLE; i++)
  tokens.push((await issuer.login(await insertUser(database))).accessToken);
console.log(
  JSON.stringify({ baseUrl: config.BASE_URL, redirectUri, tokens } satisfies CodeFlowServer),
);

process.once('SIGTERM', async () => {
  await app.stop();
  await database.close();
  process.exit(0);
});
