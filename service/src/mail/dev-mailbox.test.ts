import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/databases.ts';
import { testConfig } from '../../test/support/test-config.ts';
import { createTestServer } from '../../test/support/test-server.ts';
import { createCurrentBrand } from '../brand/index.ts';
import { type Database, transaction } from '../db/index.ts';
import type { HttpServer } from '../http/index.ts';
import { systemClock } from '../lib/clock.ts';
import { createDevMailbox } from './dev-mailbox.ts';
import { sendMail } from './queue-mail.ts';

let database: Database;
let app: HttpServer;

beforeAll(async () => {
  database = await openTestDatabase('embedded');
  app = createTestServer();
  const brand = createCurrentBrand(database, () => {});
  createDevMailbox(app, { config: testConfig(), database, brand });
  await transaction(database, (tx) =>
    sendMail(tx, systemClock, { to: 'ada@example.test', subject: 'Code <1>', text: '123456' }),
  );
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const HOST = { host: 'localhost:8080' };

test('shows mail to this machine, as a page that escapes, and as JSON', async () => {
  const page = await app.inject({ url: '/dev/mail', headers: HOST });
  expect(page.body).toContain('Code &lt;1&gt;');
  const json = await app.inject({
    url: '/dev/mail',
    headers: { ...HOST, accept: 'application/json' },
  });
  expect(json.json()).toMatchObject([{ to: 'ada@example.test', text: '123456' }]);
});

test.each([
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-original-host',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
])('refuses what came through something that adds %s', async (name) => {
  expect(
    (await app.inject({ url: '/dev/mail', headers: { ...HOST, [name]: 'x' } })).statusCode,
  ).toBe(404);
});

test('refuses another Host', async () => {
  for (const host of ['evil.example', 'localhost:8081', '127.0.0.1:8080'])
    expect((await app.inject({ url: '/dev/mail', headers: { host } })).statusCode).toBe(404);
});
