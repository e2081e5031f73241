/** Routes that report an outage answer while the database does not. */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/databases.ts';
import { testConfig, testMasterKey } from '../../../test/support/test-config.ts';
import { insertUser } from '../../../test/support/test-users.ts';
import { createApp } from '../../app.ts';
import { createManualClock } from '../../lib/clock.ts';

const config = testConfig();

test('a route that reports an outage accepts a key-bound token, no other route does', async () => {
  const database = await openTestDatabase('server');
  const clock = createManualClock(new Date());
  const app = await createApp({ config, database, masterKey: testMasterKey, clock });
  const scopes = ['account:read'];
  const reports = { access: { scopes, answersInOutage: true, isFleeting: true } };
  app.http.get('/probe-report', { config: reports }, async () => ({}));
  app.http.get(
    '/probe-other',
    { config: { access: { scopes, isFleeting: true } } },
    async () => ({}),
  );
  await app.start();
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const { token } = await app.oidc.sign({
    ...{ token_use: 'business', sub: String(await insertUser(database)), client_id: 'c' },
    ...{ scope: 'account:read', exp: Math.floor(clock.now().getTime() / 1000) + 600 },
    cnf: { jkt: await calculateJwkThumbprint(jwk) },
  });
  const ath = createHash('sha256').update(token).digest('base64url');
  let proofs = 0;
  const call = async (path: string): Promise<number> => {
    const dpop = await new SignJWT({ htm: 'GET', htu: `${config.BASE_URL}${path}`, ath })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt(clock.now())
      .setJti(`proof-${++proofs}`)
      .sign(privateKey);
    const headers = { authorization: `DPoP ${token}`, dpop };
    return (await app.http.inject({ url: path, headers })).statusCode;
  };
  expect([await call('/probe-report'), await call('/probe-other')]).toEqual([200, 200]);
  const { pool } = database;
  const { query, connect } = pool;
  const fail = async (): Promise<never> => {
    throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
  };
  Object.assign(pool, { query: fail, connect: fail });
  // The feed of revocations may be silent for a moment.
  await expect.poll(() => call('/probe-other')).toBe(503);
  expect(await call('/probe-report')).toBe(200);
  Object.assign(pool, { query, connect });
  await app.stop();
  await database.close();
});
