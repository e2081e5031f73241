import { expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { openTestDatabase } from './support/databases.ts';
import { testConfig, testMasterKey } from './support/test-config.ts';

test('the service starts, responds, and serves its API description', async () => {
  const database = await openTestDatabase('embedded');
  const app = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
  await app.start();
  expect((await app.http.inject('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await app.http.inject('/readyz')).json()).toEqual({
    status: 'ok',
    clock_offset_ms: expect.any(Number),
  });
  expect((await app.http.inject('/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
  expect((await app.http.inject('/no-such-path')).json()).toMatchObject({
    status: 404,
    code: 'not_found',
  });
  await app.stop();
  await database.close();
});
