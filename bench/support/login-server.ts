/**
 * The whole service with people who can sign in by password and email code, the default of every
 * account.
 */
import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../service/src/app.ts';
import { migrate, openServer } from '../../service/src/db/index.ts';
import { createPasswords, readHashCost } from '../../service/src/identity/passwords.ts';
import { testConfig, testMasterKey } from '../../service/test/support/test-config.ts';
import { insertUser } from '../../service/test/support/test-users.ts';

const PEOPLE = 64;

export interface LoginServer {
  readonly baseUrl: string;
  readonly emails: readonly string[];
  /** MD5 of the password of all users, as it is sent. */
  readonly loginPassword: string;
}

const [databaseUrl = '', ...costs] = process.argv.slice(2);
const database = await openServer({ url: databaseUrl, poolSize: 10, onError: () => {} });
await migrate(database);
// The limits work and count as always, only higher: one address signs in many people here.
const [memory = '', passes = ''] = costs;
const config = testConfig({
  RATE_LIMIT_SCALE: '1000000',
  PASSWORD_HASH_MEMORY: memory,
  PASSWORD_HASH_PASSES: passes,
});
const app = await createApp({ config, database, masterKey: testMasterKey });
app.http.get('/bench/cpu', { config: { access: 'open' } }, async () => {
  const { user, system } = process.cpuUsage();
  return { cpu_us: user + system };
});
await app.start();
await app.http.listen({ host: '127.0.0.1', port: 0 });

const loginPassword = createHash('md5').update('the password of all users here').digest('hex');
const passwordHash = await createPasswords(testMasterKey, readHashCost(config)).hash(loginPassword);
const emails: string[] = [];
for (let i = 0; i < PEOPLE; i++) {
  const email = `login${i}@example.test`;
  await insertUser(database, { email });
  emails.push(email);
}
await database.query('update app_user set password_hash = $1', [passwordHash]);

const ready: LoginServer = {
  baseUrl: `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`,
  emails,
  loginPassword,
};
console.log(JSON.stringify(ready));

process.once('SIGTERM', async () => {
  await app.stop();
  await database.close();
  process.exit(0);
});
