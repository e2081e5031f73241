import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/databases.ts';
import {
  createIdentityServer,
  type IdentityServer,
} from '../../../test/support/identity-server.ts';
import { testConfig } from '../../../test/support/test-config.ts';
import type { Database } from '../../db/index.ts';

const TICKET_S = 1200;
const CODE_S = 600;
let database: Database;
let server: IdentityServer;
beforeAll(async () => {
  database = await openTestDatabase('server');
  const config = testConfig({ LOGIN_TICKET_TTL: `${TICKET_S}`, EMAIL_CODE_TTL: `${CODE_S}` });
  server = createIdentityServer(database, { config });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

test.each([
  ['the code', `${TICKET_S}`, `${CODE_S}`, '10 minutes'],
  ['the ticket', '120', `${CODE_S}`, '2 minutes'],
])('a mail states the shorter lifetime, that of %s', async (_, ticket_s, code_s, stated) => {
  const config = testConfig({ LOGIN_TICKET_TTL: ticket_s, EMAIL_CODE_TTL: code_s });
  const other = createIdentityServer(database, { config });
  const person = await other.register();
  await other.ticketOf(person);
  expect((await other.mailTo(person.email))?.body).toContain(`for ${stated}`);
  await other.close();
});

test('a code resent after its expiry is valid again, until its ticket expires', async () => {
  const person = await server.register();
  const login_ticket = await server.ticketOf(person);
  const resend = () => server.post('/user/login/email-code', { email: person.email, login_ticket });
  const signIn = async () =>
    server.post('/user/login/2fa', {
      email: person.email,
      login_ticket,
      method: 'EMAIL',
      validate_code: await server.codeTo(person.email),
    });
  server.clock.advance((CODE_S + 1) * 1000);
  expect((await signIn()).statusCode).toBe(401);
  expect((await resend()).statusCode).toBe(204);
  expect((await server.mailTo(person.email))?.body).toContain('10 minutes');
  server.clock.advance(500_000);
  expect((await resend()).statusCode).toBe(204);
  // The ticket expires before a full lifetime of a code.
  expect((await server.mailTo(person.email))?.body).toContain('2 minutes');
  expect((await signIn()).statusCode).toBe(200);
});
